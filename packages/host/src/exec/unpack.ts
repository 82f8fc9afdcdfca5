import { spawn } from "./platform.ts";
import { findProgram } from "./program/find.ts";

/** Programs of the system for formats that we do not unpack ourselves; each reads its input and writes its output. */
export const unpackers = { xz: "xz", bzip2: "bzip2" } as const;

/** The directories of these programs; none in which a project could put one of its own. */
const places = "/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin";

export interface Unpacked {
  chunks: AsyncIterator<Uint8Array>;
  end(): void;
}

/** Unpacks an open file; undefined if there is no such program. `end` is called by the reader. */
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
