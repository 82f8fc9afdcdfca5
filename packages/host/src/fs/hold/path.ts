import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync, unlinkSync } from "node:fs";
import { succeeds, tryOr } from "@pith/kit";
import { faultOf } from "../failure.ts";
import { abiOf } from "./abi.ts";
import { isSameFile, joined, type Look, type Name, type Names, type Way } from "./held.ts";
import { namesBy } from "./proc.ts";
import type { WindowsPin } from "./windows-pin.ts";

const abi = abiOf(process.platform, process.arch);
/** Refuses a link on the whole path, where the system has such a flag: opening a file is as safe there as by a handle. */
const noLinks = abi?.noLinks;
const unlinked = (flags: number): number => (noLinks === undefined ? flags : (flags & ~constants.O_NOFOLLOW) | noLinks);

/**
 * The way where no handle leads anywhere: paths, with device and number of the folder compared before and after. A link
 * that stands there only in between is not seen.
 */
export const path: Way = {
  name: "path",
  pin: process.platform === "win32" ? pinOnWindows : undefined,
  toPass: (abi?.toPass ?? 0) | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0),
  straight(real, flags) {
    const before = tryOr(() => straightLook(real));
    if (!before) return undefined;
    const fd = tryOr(() => openSync(real, unlinked(flags)));
    if (fd === undefined) return undefined;
    const opened = fstatSync(fd, { bigint: true });
    if (isSameFile(before, opened) && standsAt(opened, real)) return fd;
    closeSync(fd);
    return undefined;
  },
  names(fd, real) {
    const check = checkOf(fd, real);
    const names = namesBy((name) => joined(real, name), "path");
    const checked =
      <A extends unknown[], T>(verb: (...values: A) => T) =>
      (...values: A): T => {
        check();
        const result = verb(...values);
        check();
        return result;
      };
    return {
      open(name, flags, mode) {
        check();
        const file = names.open(name, flags, mode);
        try {
          const opened = fstatSync(file, { bigint: true });
          if (!standsAt(opened, joined(real, name))) {
            if (flags & constants.O_EXCL) takeBack(opened, joined(real, name));
            throw faultOf("ECHANGED");
          }
          return file;
        } catch (thrown) {
          closeSync(file);
          throw thrown;
        }
      },
      make: checked(names.make),
      rename: checked(names.rename),
      moveTo: checked(names.moveTo),
      remove: checked(names.remove),
      link: checked(names.link),
      makeLink: checked(names.makeLink),
      stat: checked(names.stat),
      mustBeWritable: checked(names.mustBeWritable),
      readLink: checked(names.readLink),
      setMode: checked(names.setMode),
      list: checked(names.list),
    } satisfies Names;
  },
  lend(fd, real, use) {
    const check = checkOf(fd, real);
    check();
    const result = use(real);
    check();
    return result;
  },
};

let windows: { hold(path: string): WindowsPin | undefined } | undefined;

/** Windows moves nothing that is held in this way, nor a folder above it: the path leads there until it is let go. */
function pinOnWindows(fd: number, real: string): (() => void) | undefined {
  if (!windows) {
    const { openWindowsPins }: typeof import("./windows-pin.ts") = require("./windows-pin.ts");
    windows = { hold: openWindowsPins() ?? (() => undefined) };
  }
  const pin = windows.hold(real);
  if (!pin) return undefined;
  if (pin.path === real && isSameFile(fstatSync(fd, { bigint: true }), straightLook(real))) return pin.free;
  pin.free();
  throw faultOf("ECHANGED");
}

/** Throws where something else stands at the path of a folder than what is open. */
function checkOf(fd: number, real: Name): () => void {
  const held = fstatSync(fd, { bigint: true });
  return () => {
    if (!isSameFile(held, straightLook(real))) throw faultOf("ECHANGED");
  };
}

/** Asks several times: somebody who swaps folders without end is hardly lucky each time. */
const looks = 8;

function standsAt(opened: Look, real: Name): boolean {
  for (let n = 0; n < looks; n++) {
    const now = tryOr(() => straightLook(real));
    if (!now || !isSameFile(now, opened)) return false;
  }
  return true;
}

/** Removes a file that was made elsewhere, where it can still be found. */
function takeBack(made: Look, path: Name): void {
  for (let n = 0; n < looks; n++) {
    const there = tryOr(() => lstatSync(path, { bigint: true }));
    if (there && isSameFile(there, made) && succeeds(() => unlinkSync(path))) return;
  }
}

/** The state of what stands at a real path. Throws where a link leads there by now. */
function straightLook(real: Name): Look {
  const led = realpathSync.native(real, { encoding: "buffer" });
  if (!led.equals(Buffer.from(real))) throw faultOf("ECHANGED");
  return lstatSync(real, { bigint: true });
}
