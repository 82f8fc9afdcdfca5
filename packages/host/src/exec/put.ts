import type { Mouth } from "./platform.ts";

/**
 * Says something to a process. One that is gone hears nothing, and that is no failure here: whoever waits for its end
 * is told. It may be gone at once, for a key like Ctrl+C also hits what we just began and what has no session of its
 * own yet.
 */
export function put(stdin: Mouth, text: string): void {
  try {
    stdin.write(text);
    void Promise.resolve(stdin.flush()).catch(() => {});
  } catch {}
}
