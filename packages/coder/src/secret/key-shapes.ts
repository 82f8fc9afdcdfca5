/** The keys of vendors. Each begins with letters of its own, so that text is looked at only where one may be. */
const shapes = (): readonly RegExp[] => [
  // Clouds and registries.
  /(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])/y,
  /AIza[\w-]{35}(?![\w-])/y,
  /GOCSPX-[\w-]{20,}/y,
  /ya29\.[\w-]{20,}/y,
  /dop_v1_[a-f0-9]{64}/y,
  /dapi[a-f0-9]{32}(?:-\d)?(?!\w)/y,
  /npm_[A-Za-z0-9]{36}(?!\w)/y,
  /pypi-AgEI[\w-]{40,}/y,
  /rubygems_[a-f0-9]{48}/y,
  /dckr_(?:pat|oat)_[\w-]{20,}/y,
  /hv[sb]\.[\w-]{20,}/y,
  /FlyV1 fm\d_[\w+/=,-]{20,}/y,
  /AGE-SECRET-KEY-1[A-Z0-9]{50,}/y,
  // Places where code is kept.
  /gh[pousr]_[A-Za-z0-9]{30,}/y,
  /github_pat_\w{22,}/y,
  /gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent)-[\w-]{20,}/y,
  /ATATT3[\w=-]{50,}/y,
  /ATBB[A-Za-z0-9]{28,}/y,
  // Models.
  /sk-(?:ant|proj|or|svcacct|admin|lf)-[\w-]{16,}/y,
  /sk-[A-Za-z0-9]{32,}(?![\w-])/y,
  /gsk_[A-Za-z0-9]{40,}/y,
  /xai-[A-Za-z0-9]{40,}/y,
  /pplx-[A-Za-z0-9]{40,}/y,
  /nvapi-[\w-]{40,}/y,
  /hf_[A-Za-z]{30,}(?!\w)/y,
  /r8_[A-Za-z0-9]{37}(?!\w)/y,
  /tvly-[\w-]{20,}/y,
  // Services.
  /xox[abeoprs]-[A-Za-z0-9-]{10,}/y,
  /xapp-\d-[A-Za-z0-9-]{20,}/y,
  /(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/y,
  /whsec_[A-Za-z0-9+/=]{20,}/y,
  /SG\.[\w-]{16,}\.[\w-]{16,}/y,
  /key-[0-9a-f]{32}(?!\w)/y,
  /SK[0-9a-f]{32}(?!\w)/y,
  /shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/y,
  /sq0(?:atp|csp|idp)-[\w-]{22,}/y,
  /lin_(?:api|oauth)_[A-Za-z0-9]{32,}/y,
  /(?:secret|ntn)_[A-Za-z0-9]{40,}(?!\w)/y,
  /PMAK-[a-f0-9]{24}-[a-f0-9]{34}/y,
  /figd_[\w-]{30,}/y,
  /sntry[su]_[\w=+/-]{30,}/y,
  /dp\.(?:pt|st|ct|sa)\.[A-Za-z0-9]{40,}/y,
  /NRAK-[A-Z0-9]{27}/y,
  /[MNO][A-Za-z\d_-]{23,25}\.[\w-]{6}\.[\w-]{27,38}(?![\w-])/y,
  /AA[\w-]{33}(?![\w-])/y,
  /T[A-Z0-9]{8,}\/B[A-Z0-9]{8,}\/[A-Za-z0-9]{20,}/y,
  // A token of three parts, whose first says that it is one.
  /eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/y,
  /eyJ[\w-]{10,}\.[\w-]*\.[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/y,
];

interface Shape {
  /** The letters that it begins with, as far as they are always the same. */
  head: string;
  form: RegExp;
}

/** By the code of the first letter; made when a word is first looked at. */
let byFirst: (readonly Shape[] | undefined)[] | undefined;

function sorted(): (readonly Shape[] | undefined)[] {
  const table: Shape[][] = [];
  for (const form of shapes())
    for (const head of headsOf(form.source)) {
      const first = head.charCodeAt(0);
      table[first] ??= [];
      table[first].push({ head, form });
    }
  return table;
}

function headsOf(source: string): readonly string[] {
  const [, group, set] = /^\(\?:([^)]*)\)|^\[([^\]]*)\]/.exec(source) ?? [];
  if (set !== undefined) return [...set];
  return group?.split("|") ?? [/^[\w-]+/.exec(source)?.[0] ?? ""];
}

/** A bot's token has the bot's number before it; other words that begin like this are none. */
const needsBefore: Readonly<Record<string, RegExp>> = { AA: /\d{6,12}:$/, T: /services\/$/ };

/** Finds where a key ends that begins here; -1 when none does. */
export function shapeAt(text: string, at: number): number {
  byFirst ??= sorted();
  const candidates = byFirst[text.charCodeAt(at)];
  if (!candidates) return -1;
  for (const { head, form } of candidates) {
    if (!text.startsWith(head, at)) continue;
    form.lastIndex = at;
    if (!form.test(text)) continue;
    const end = form.lastIndex;
    const before = needsBefore[head];
    if (before && !before.test(text.slice(Math.max(0, at - 16), at))) continue;
    if (isVaried(text, at, end)) return end;
  }
  return -1;
}

/** Words with hyphens may begin as a key does: a key has figures, or capitals among small letters. */
function isVaried(text: string, from: number, to: number): boolean {
  let figures = 0;
  let capitals = 0;
  const seen = new Set<number>();
  for (let at = from; at < to && seen.size < 64; at++) {
    const code = text.charCodeAt(at);
    seen.add(code);
    if (code >= 48 && code <= 57) figures++;
    else if (code >= 65 && code <= 90) capitals++;
  }
  return seen.size >= 8 && (figures > 0 || capitals > 1);
}
