/** Names of what holds a key, by how they end. */
const secretName =
  /(?:pass(?:word|wd|phrase|code)|(?:^|[-_.])(?:pass|pwd)|(?:^|[a-z\d_.-])secret|token|api[-_.]?key|(?:access|private|secret|signing|encryption|master|account|service|client|auth|shared|storage|license|webhook|deploy|session)[-_.]?key|(?:access|secret)[-_.]?key[-_.]?id|credentials?|(?:^|[-_.])auth)$/i;
/** Names of variables may end in more. */
const secretVariable = /_(?:KEY|DSN|PAT|CREDS?|SALT|COOKIE|JWT)$/i;
const counted =
  /(?:max|min|num|next|prev|page|cancellation|abort|continuation|eof|end|stop|pad|sep|mask|unk|bos)[-_]?token$/i;

/** The last two letters of names of keys: most names are told apart by them. */
const ends = new Uint8Array(1 << 16);
for (const [a, b] of "rd wd se de ss et en ey al ls th id sn at ds ed lt ie wt".split(" ") as unknown as [
  string,
  string,
][])
  for (const one of [a, a.toUpperCase()])
    for (const two of [b, b.toUpperCase()]) ends[(one.charCodeAt(0) << 8) | two.charCodeAt(0)] = 1;

/** Letters outside of the alphabet of names wrap around, and are told apart by the whole name. */
export const endsLikeSecret = (one: number, two: number): boolean => ends[((one & 255) << 8) | (two & 255)] === 1;
const mayBe = (name: string) => endsLikeSecret(name.charCodeAt(name.length - 2), name.charCodeAt(name.length - 1));

export const isSecretName = (name: string): boolean => mayBe(name) && secretName.test(name) && !counted.test(name);
export const isSecretVariable = (name: string): boolean =>
  mayBe(name) &&
  (isSecretName(name) || secretVariable.test(name)) &&
  !/PUBLIC|^(?:GPG|SSH|XAUTH|ICEAUTH|SUDO)_/i.test(name);

/** Matches placeholders that stand where a key would. */
const stands =
  /\$\{|\$\(|^\$\w|%\w+%|\{\{|<|>|your|example|change.?me|placeholder|dummy|redact|insert|replace|\.\.\.|\*\*\*|x{4}|0{8}|1234567|^(?:true|false|null|none|nil|undefined|string|number|boolean|required|optional|disabled|enabled|secret|password|passwd|token|test(?:ing)?|default|root|admin|postgres|guest|user(?:name)?)$/i;

/** Not a value but where one comes from, or leads to. */
const expression =
  /^(?:[.~]{0,2}\/|\w+:\/\/|[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$|(?:this|self|process|config|\w*env)\b[.[]|\[|@|#)/i;
/** Words that people join: `x-access-token`, `refresh_token`, `share:v1:width`. */
const joined = /^[a-z]{1,16}\d{0,2}(?:[-_:. ][a-z]{0,16}\d{0,2})*$/i;

const least = { variable: 6, quoted: 8, bare: 16 } as const;

/** True when the value given to such a name is a key. `plain` words count only where nothing but a value can stand. */
export function isSecretValue(value: string, place: "variable" | "quoted" | "bare"): boolean {
  if (value.length < least[place] || value.length > 4096) return false;
  if (stands.test(value) || expression.test(value)) return false;
  if (place !== "bare" && /\s/.test(value) && !/\d/.test(value)) return false;
  if (place === "variable") return !/^\d{1,6}$/.test(value);
  if (joined.test(value) && value.length < 40) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(value)).length;
  if (!/\d/.test(value) && !/[^\w.-]/.test(value)) return false;
  if (/\s/.test(value) || kinds < 2) return /^[a-f\d]{16,}$/.test(value);
  // A cloud's: forty signs, of which few may be figures.
  if (kinds >= 3 && /^[A-Za-z\d+/]{40}$/.test(value)) return entropy(value) >= 4.2;
  if (place === "bare" && (kinds < 3 || !/\d.*\d/.test(value))) return /^[a-f\d]{24,}$/.test(value);
  return entropy(value) >= (value.length < 20 ? 2.6 : 3);
}

/** Bits per character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
