import { join } from "node:path";
import type { Lab } from "../lab.ts";
import type { Sample } from "../work.ts";

/** Runs the full screen, or its floor, once in a pseudo-terminal. */
export async function face(
  { pith }: Lab,
  subject: "pith" | "floor",
  what: "start" | "stream" | "idle",
  session?: string,
): Promise<Sample> {
  const who = subject === "pith" ? pith : "floor";
  const command = [process.execPath, "--no-install", join(import.meta.dir, "face.ts"), who, what];
  const child = Bun.spawn([...command, ...(session ? [session] : [])], { stdout: "pipe", stderr: "inherit" });
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`the ${subject} did not finish`);
  return JSON.parse(output) as Sample;
}
