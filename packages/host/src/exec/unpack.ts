import { spawn } from "./platform.ts";
import { findProgram } from "./program.ts";

/** Programs of the system that unpack what we do not know ourselves; each reads its input and writes its output. */
export const unpackers = { xz: "xz", bzip2: "bzip2" } as const;

/** Where they stand on every system; not where a project could put one of its own. */
const places = "/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin";

export interface Unpacked {
  chunks: AsyncIterator<Uint8Array>;
  end(): void;
}

/** Unpacks an open file; undefined when there is no such program. It is ended with whoever reads. */
export function unpack(kind: keyof typeof unpackers, fd: number): Unpacked | undefined {
  const program = findProgram(unpackers[kind], places);
  if (program === undefined) return undefined;
  const child = spawn([program, "-d", "-c"], { stdio: [fd, "pipe", "ignore"], env: {} });
  return {
    chunks: (async function* () {
      yield* child.stdout;
      const code = await child.exited;
      if (code !== 0) throw new Error(`${unpackers[kind]} ended with ${code}`);
    })(),
    end: () => child.kill("SIGKILL"),
  };
}
