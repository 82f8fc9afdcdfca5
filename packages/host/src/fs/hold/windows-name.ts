/** Names of devices: with anything behind a dot too, in every folder. */
const devices = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?:\s*\..*)?$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: no name has them there
const signs = /[\u0000-\u001f"*/:<>?\\|]/;

/**
 * Says why Windows has no file of this name, or would open another one: a device, a stream of a file (`a.txt:b`), or a
 * dot or blank at the end, which it leaves out. Undefined for a name that leads to itself.
 */
export function windowsFault(name: string): string | undefined {
  if (name === ".") return undefined;
  if (signs.test(name)) return "has a sign that no name has";
  if (/[. ]$/.test(name)) return "ends with a dot or a blank, which Windows leaves out";
  return devices.test(name.trimEnd()) ? "is the name of a device" : undefined;
}
