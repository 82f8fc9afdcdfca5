import type { Settings } from "@pith/coder";
import { contrast, hexOf } from "./colour.ts";
import { findTheme } from "./find.ts";
import type { Slot } from "./slot.ts";

/** The text colour of an exported page on each background. */
const ink = { dark: "#dfe1e3", light: "#1d1f21" } as const;

/** The style rules that give an exported page the backgrounds of the themes in the settings. */
export function pageStyle(home: string, settings: Pick<Settings, "get">): string {
  const [dark, light] = (["dark", "light"] as const).map((slot) =>
    rulesOf(slot, home, settings.get(`theme.${slot}`) ?? ""),
  );
  return [
    `:root { ${light} }`,
    `@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { ${dark} } }`,
    `:root[data-theme="dark"] { ${dark} }`,
  ].join("\n");
}

function rulesOf(slot: Slot, home: string, name: string): string {
  const theme = findTheme(home, name);
  if (!theme.ok) return "";
  const { colors, export: page } = theme.value;
  const hex = (colour: Parameters<typeof hexOf>[0] | undefined) => (colour === undefined ? undefined : hexOf(colour));
  const rows = {
    "--ground": page.pageBg,
    "--tool": page.cardBg ?? hex(colors.toolPendingBg),
    "--user": page.infoBg ?? hex(colors.userMessageBg),
  };
  // Backgrounds on which the text of the page cannot be read are left out.
  const fits = (value: string | undefined) => value !== undefined && contrast(value as `#${string}`, ink[slot]) >= 4.5;
  return Object.entries(rows)
    .flatMap(([key, value]) => (fits(value) ? [`${key}: ${value};`] : []))
    .join(" ");
}
