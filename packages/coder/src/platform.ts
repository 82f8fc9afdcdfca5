// What differs between Bun and Node stands here, so that the SDK runs on both.

/** Reads YAML. Throws a SyntaxError on bad text, like JSON.parse. */
export async function parseYaml(text: string): Promise<unknown> {
  if (typeof Bun !== "undefined") return Bun.YAML.parse(text);
  const { parse } = await import("yaml");
  return parse(text);
}
