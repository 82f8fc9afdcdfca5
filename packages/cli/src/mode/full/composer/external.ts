import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "@pith/kit";
import type { ScreenContext } from "../context.ts";

/** Edits the text of the composer in the person's own editor. */
export async function editElsewhere(context: ScreenContext): Promise<void> {
  const { composer } = context;
  const folder = mkdtempSync(join(tmpdir(), "pith-"));
  const file = join(folder, "message.md");
  try {
    writeFileSync(file, composer.text, { mode: 0o600 });
    if ((await runEditor(context, file)) !== 0)
      return context.say("warn", "The editor ended with an error; what was typed is as it was.");
    const text = readFileSync(file, "utf8").replace(/\n$/, "");
    if (text !== composer.text) composer.text = text;
    context.screen.now();
  } catch (error) {
    context.say("error", `The editor did not work: ${messageOf(error)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Opens a file in `$VISUAL` or `$EDITOR`, which has the terminal until it ends. */
export async function runEditor(context: ScreenContext, file: string, line?: number): Promise<number> {
  const { io, screen, terminal } = context;
  const editor = (io.env.VISUAL ?? "").trim() || (io.env.EDITOR ?? "").trim();
  if (editor === "") {
    context.say("warn", "Say which editor: set VISUAL or EDITOR.");
    return 0;
  }
  using _screen = screen.lend();
  terminal.stop();
  try {
    const child = Bun.spawn(["sh", "-c", `${editor} "$@"`, "sh", ...placed(editor, file, line)], {
      cwd: io.cwd,
      env: { ...io.env },
      stdin: "inherit",
      stdout: "inherit",
      stderr: "inherit",
    });
    return await child.exited;
  } finally {
    terminal.start();
  }
}

/** The arguments that open a file at a line in this editor. */
function placed(editor: string, file: string, line: number | undefined): string[] {
  if (line === undefined) return [file];
  if (/\b(?:vi|vim|nvim|nano|emacs|emacsclient|kak|micro|hx|less)\b/.test(editor)) return [`+${line}`, file];
  if (/\b(?:code|codium|cursor|windsurf)\b/.test(editor)) return ["--goto", `${file}:${line}`];
  return /\b(?:subl|zed)\b/.test(editor) ? [`${file}:${line}`] : [file];
}
