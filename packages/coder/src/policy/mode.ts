import type { Effect as CallEffect } from "@pith/agent";
import type { JudgedPart, Judgement, PartSetup } from "../judge/judged.ts";
import { isReader } from "../judge/program/table.ts";
import type { Approval, ProjectSide } from "./approval.ts";
import { modeRuling } from "./approval.ts";
import type { Ruling } from "./rule/ruling.ts";

/** Tells if a sandbox holds what a command runs to the project. */
export type Sandboxing = "open" | "confined";

/**
 * True for a command that is taken for one that only reads: the kernel holds it to that, so only the programs count,
 * and that no literal word says otherwise.
 */
const looksLikeReading = ({ parts, problem }: Judgement): boolean =>
  problem === undefined &&
  parts.every(
    ({ program, args, effects, severity }) =>
      (program === undefined
        ? args.length === 0 && severity === "none" && effects.every(isReading)
        : isReader(program)) &&
      severity === "none" &&
      !effects.some((effect) => effect.startsWith("write") || effect === "net"),
  );

const isReading = (effect: string): boolean => effect.startsWith("read");

/** True for a command that a mode lets run as a whole, because nothing that it does can be kept. */
export function isHarmlessIn(mode: Approval, judged: Judgement, sandbox: Sandboxing): boolean {
  if (mode !== "plan" && mode !== "write") return false;
  if (sandbox === "open") return judged.plain !== undefined;
  return mode === "plan" ? judged.problem === undefined : judged.plain !== undefined || looksLikeReading(judged);
}

/** Gives the ruling of a mode on one part of a command. */
export function partRuling(part: JudgedPart, mode: Approval, sandbox: Sandboxing, whole: "harmless" | "any"): Ruling {
  if (mode === "plan") {
    if (part.severity === "critical" || whole === "any") return "deny";
    return part.guard === undefined ? "allow" : "ask";
  }
  if (part.guard !== undefined || part.severity === "critical" || mode === "ask") return "ask";
  if (mode === "write") return whole === "harmless" ? "allow" : "ask";
  if (mode === "yolo") return "allow";
  return part.severity === "high" || (sandbox === "open" && part.effects.includes("opaque")) ? "ask" : "allow";
}

/** Gives the ruling of a mode on redirections and variables around an allowed program: no rule about the program covers those. */
export function setupRuling(frame: PartSetup, mode: Approval, sandbox: Sandboxing): Ruling {
  if (frame.guard !== undefined || frame.severity === "critical") return "ask";
  if (frame.effects.length === 0 && frame.severity === "none") return "allow";
  const inside = frame.effects.every((effect) => effect.endsWith(" inside"));
  if (mode === "plan") return "deny";
  if (mode === "ask") return "ask";
  if (mode === "write") return inside && frame.severity === "none" ? "allow" : "ask";
  if (mode === "yolo") return "allow";
  return frame.severity === "high" || (sandbox === "open" && frame.effects.includes("opaque")) ? "ask" : "allow";
}

/** Gives the ruling of a mode on an effect on either side of the project. */
export const touchRuling = (mode: Approval, effect: CallEffect, side: ProjectSide): Ruling =>
  modeRuling(mode, effect, side);
