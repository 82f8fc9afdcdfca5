import { markdownRows } from "@pith/tui";
import { scrollLook } from "./theme.ts";

/** A page of the documentation as a terminal of that width shows it. */
export const drawPage = (text: string, columns: number, env: Readonly<Record<string, string | undefined>>): string =>
  `${markdownRows(text, columns, { look: scrollLook(env, process.platform) }).join("\n")}\n`;
