import { readFileSync } from "node:fs";
import { tryOr } from "@pith/kit";

/** True when something listens on a port in the network of a process, at an address of the machine itself or at all. */
export function isListening(port: number, process: string): boolean {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  return ["tcp", "tcp6"].some((name) =>
    tryOr(() => readFileSync(`${process}/net/${name}`, "latin1"), "")
      .split("\n")
      .some((line) => {
        const [, local = "", , state] = line.trim().split(/\s+/);
        return state === "0A" && local.endsWith(`:${hex}`) && ours.test(local);
      }),
  );
}

/** Addresses that a connection to this machine may be answered at: its own, or any. */
const ours = /^(?:0100007F|0{8}|0{32}|0{24}01000000|0{16}FFFF00000100007F):/;
