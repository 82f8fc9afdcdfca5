import { tryOr } from "@pith/kit";
import type { ProcessInput } from "./platform.ts";

/**
 * Writes to the input of a process. One that is gone is no failure here: its exit says so. It may be gone at once,
 * since Ctrl+C also reaches a process that was just started and has no session of its own yet.
 */
export const writeStdin = (stdin: ProcessInput, text: string): void =>
  tryOr(() => {
    stdin.write(text);
    void Promise.resolve(stdin.flush()).catch(() => {});
  });
