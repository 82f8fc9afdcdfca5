import { root } from "./need.ts";
import { envOf, main } from "./pith.ts";
import { run, type Scratch } from "./scratch.ts";

export interface Step {
  command: string;
  output: string;
}

/**
 * Reads the examples of a page: files (fences with `file=path`), and commands in order with their output (`console`
 * fences, `$ ` lines).
 */
export function readTranscripts(page: string): { files: Record<string, string>; steps: Step[] } {
  const files: Record<string, string> = {};
  const steps: Step[] = [];
  for (const [, info = "", body = ""] of page.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)) {
    const file = /\bfile=(\S+)/.exec(info)?.[1];
    if (file) files[file] = body;
    if (info !== "console") continue;
    for (const part of body.split(/^\$ /m).slice(1)) {
      const end = part.indexOf("\n");
      steps.push({ command: part.slice(0, end), output: untagged(part.slice(end + 1)) });
    }
  }
  return { files, steps };
}

/** Runs the commands of a page in a scratch project with its files; returns what each printed. */
export async function playTranscripts(dir: Scratch, page: string): Promise<Step[]> {
  const { files, steps } = readTranscripts(page);
  dir.write({
    "bin/pith": `#!/bin/sh\nexec '${process.execPath}' --no-install '${main}' "$@"\n`,
    "work/.keep": "",
    "tmp/.keep": "",
    "home/.keep": "",
  });
  dir.write(Object.fromEntries(Object.entries(files).map(([path, text]) => [`work/${path}`, text])));
  const env = envOf(dir, { PATH: `${dir.at("bin")}:${process.env.PATH ?? ""}` });
  const played: Step[] = [];
  for (const { command } of steps) {
    const { out, err } = await run(["sh", "-c", command], { cwd: dir.at("work"), env });
    played.push({ command, output: untagged(out + err) });
  }
  return played;
}

export const pageText = (name: string): Promise<string> => Bun.file(`${root}/docs/${name}`).text();

/** Replaces tags, which depend on the path of the project. */
const untagged = (text: string): string => text.replace(/(?<=^\[.+#)[0-9A-F]{4}(?=\]$)/gm, "0000");
