import { markdownRows } from "@pith/tui";
import { scrollTheme } from "./theme.ts";

/** A page of the documentation as a terminal of that width shows it. */
export const drawPage = (text: string, columns: number, env: Readonly<Record<string, string | undefined>>): string =>
  `${markdownRows(text, columns, { theme: scrollTheme(env, process.platform) }).join("\n")}\n`;
