import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface Scratch extends Disposable {
  /** Without symbolic links, so that it can be compared with what the system says. */
  path: string;
  at(...names: string[]): string;
  write(files: Readonly<Record<string, string>>): void;
}

/** A folder for one test, `using dir = scratch();`, or for all tests of a file, `const dir = scratch(afterAll);`. */
export function scratch(atEnd?: (remove: () => void) => void): Scratch {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "pith-")));
  const remove = () => rmSync(path, { recursive: true, force: true });
  atEnd?.(remove);
  return {
    path,
    at: (...names) => join(path, ...names),
    write(files) {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(path, name)), { recursive: true });
        // A script is meant to be run.
        writeFileSync(join(path, name), text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
      }
    },
    [Symbol.dispose]: remove,
  };
}
