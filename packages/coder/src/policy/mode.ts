import type { Effect as CallEffect } from "@pith/agent";
import { reading } from "../judge/effect.ts";
import type { JudgedPart, PartSetup } from "../judge/judged.ts";
import type { Approval, ProjectSide } from "./approval.ts";
import { modeRuling } from "./approval.ts";
import type { Ruling } from "./rule/ruling.ts";

/** Tells if a sandbox holds what a command runs to the project. */
export type Sandboxing = "open" | "confined";

/** Gives the ruling of a mode on one part of a command. */
export function partRuling(part: JudgedPart, mode: Approval, sandbox: Sandboxing): Ruling {
  const reads = part.severity === "none" ? reading(part.effects) : undefined;
  if (mode === "plan") {
    if (reads === "inside") return "allow";
    return reads === "outside" || (part.guard !== undefined && reading(part.effects)) ? "ask" : "deny";
  }
  if (part.guard !== undefined || part.severity === "critical") return "ask";
  if (mode === "ask") return "ask";
  if (mode === "write") return reads === "inside" ? "allow" : "ask";
  if (mode === "yolo") return "allow";
  return part.severity === "high" || (sandbox === "open" && part.effects.includes("opaque")) ? "ask" : "allow";
}

/**
 * Gives the ruling of a mode on redirections and variables around an allowed program: no rule about the program covers
 * those.
 */
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
