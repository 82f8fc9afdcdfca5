import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { codeOf, expandHome, fail, formatBytes, messageOf, ok, type Result } from "@pith/kit";
import { maxTextBytes, readUpTo, textOf } from "./read.ts";

/** A file named with `@`: the text of a pipe, or a name that is shown once there is a conversation. */
export type Attachment = { path: string; text: string } | { path: string; text?: undefined };

export async function attach(
  name: string,
  from: { cwd: string; userHome: string },
): Promise<Result<Attachment, "usage">> {
  const file = await kindOf(name, from);
  if (file.ok) return file.value === "pipe" ? drained(name, from) : ok({ path: name });
  // `name:10-20` means lines of a file, unless a file is called so.
  const lines = /^(.+?):L?\d+(?:-L?\d+)?$/.exec(name)?.[1];
  const whole = lines === undefined || file.kind !== "missing" ? undefined : await kindOf(lines, from);
  return whole?.ok && whole.value === "file" ? ok({ path: name }) : fail("usage", file.message);
}

async function kindOf(
  name: string,
  from: { cwd: string; userHome: string },
): Promise<Result<"file" | "pipe", "missing" | "unfit">> {
  try {
    const info = await stat(resolve(from.cwd, expandHome(name, from.userHome)));
    if (info.isFIFO()) return ok("pipe");
    return info.isFile() || info.isDirectory()
      ? ok("file")
      : fail("unfit", `@${name} is neither a file nor a folder nor a pipe`);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") return fail("unfit", `@${name} cannot be read: ${messageOf(error)}`);
    return fail("missing", `@${name}: no such file`);
  }
}

/** Reads a pipe, which `@<(command)` gives. */
async function drained(name: string, from: { cwd: string; userHome: string }): Promise<Result<Attachment, "usage">> {
  const bytes = await readUpTo(createReadStream(resolve(from.cwd, expandHome(name, from.userHome))), maxTextBytes);
  if (bytes === "too large") return fail("usage", `@${name} gives more than ${formatBytes(maxTextBytes)}`);
  const text = textOf(bytes);
  return text === undefined ? fail("usage", `@${name} gives no text`) : ok({ path: name, text });
}
