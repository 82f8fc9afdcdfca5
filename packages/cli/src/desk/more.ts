import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { openArtifacts } from "@pith/agent";
import { formatBytes, plainText } from "@pith/kit";

/** A result of which a screen shows a part only. */
export interface Output {
  text: string;
  /** Where all of it is, when the text is not. */
  artifact: string | undefined;
}

/** All of an output, from its artifact where the text is only a part; of a huge one the end, and where the rest is. */
export function wholeOutput({ text, artifact }: Output, session: string | undefined): string {
  const file = artifact === undefined ? undefined : openArtifacts(session).resolve(artifact);
  if (!file) return plainText(text);
  if (!file.ok) return `${plainText(text)}\n(${file.message})`;
  try {
    const fd = openSync(file.value, "r");
    try {
      const { size } = fstatSync(fd);
      const bytes = Buffer.alloc(Math.min(size, most));
      readSync(fd, bytes, 0, bytes.length, size - bytes.length);
      const before = size > most ? `… ${formatBytes(size - most)} before, in ${file.value}\n` : "";
      return `${before}${plainText(bytes.toString("utf8", size > most ? bytes.indexOf(10) + 1 : 0))}`;
    } finally {
      closeSync(fd);
    }
  } catch {
    return `${plainText(text)}\n(${file.value} cannot be read)`;
  }
}

const most = 1024 * 1024;
