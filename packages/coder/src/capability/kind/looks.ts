/** Letters of other scripts and digits, with the Latin letters that they look like. */
const like = new Map(
  [..."аaсcеeһhіiјjӏlоoԛqѕsхxуyрpԁdԝwкkмmтtвbнhгrпnиuαaεeιiοoκkνvρpτtυuχxηnıi0o1l"].flatMap((sign, at, all) =>
    at % 2 === 0 ? [[sign, all[at + 1] ?? ""] as const] : [],
  ),
);

/** Returns a name as a quick reader sees it: names that look the same give the same text. */
export const looksOf = (name: string): string =>
  [...name.normalize("NFKC").toLowerCase()].map((sign) => like.get(sign) ?? sign).join("");
