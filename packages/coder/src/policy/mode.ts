import type { Effect as CallEffect } from "@pith/agent";
import { reading } from "../judge/effect.ts";
import type { JudgedPart, PartSetup } from "../judge/judged.ts";
import type { Approval, ProjectSide } from "./approval.ts";
import { modeRuling } from "./approval.ts";
import type { Ruling } from "./rule/ruling.ts";

/** Whether a wall holds what a command runs to the project. */
export type Sandboxing = "open" | "confined";

/** What a mode says to one part of a command. */
export function partRuling(part: JudgedPart, mode: Approval, walls: Sandboxing): Ruling {
  const reads = part.severity === "none" ? reading(part.effects) : undefined;
  if (mode === "plan") {
    if (reads === "inside") return "allow";
    return reads === "outside" || (part.guard !== undefined && reading(part.effects)) ? "ask" : "deny";
  }
  if (part.guard !== undefined || part.severity === "critical") return "ask";
  if (mode === "ask") return "ask";
  if (mode === "write") return reads === "inside" ? "allow" : "ask";
  if (mode === "yolo") return "allow";
  return part.severity === "high" || (walls === "open" && part.effects.includes("opaque")) ? "ask" : "allow";
}

/** What a mode says to what is done around a program that was allowed: no rule about the program speaks for that. */
export function setupRuling(frame: PartSetup, mode: Approval, walls: Sandboxing): Ruling {
  if (frame.guard !== undefined || frame.severity === "critical") return "ask";
  if (frame.effects.length === 0 && frame.severity === "none") return "allow";
  const inside = frame.effects.every((effect) => effect.endsWith(" inside"));
  if (mode === "plan") return "deny";
  if (mode === "ask") return "ask";
  if (mode === "write") return inside && frame.severity === "none" ? "allow" : "ask";
  if (mode === "yolo") return "allow";
  return frame.severity === "high" || (walls === "open" && frame.effects.includes("opaque")) ? "ask" : "allow";
}

/** What a mode says to an effect on either side of the project. */
export const touchRuling = (mode: Approval, effect: CallEffect, side: ProjectSide): Ruling =>
  modeRuling(mode, effect, side);
