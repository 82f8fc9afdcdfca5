/**
 * Fills the `{{name}}` holes of a prose file. A hole without a value, or a value without a hole, is a bug and throws.
 */
export function fill(prose: string, values: Readonly<Record<string, string | number>>): string {
  const unused = new Set(Object.keys(values));
  const text = prose.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for the hole {{${name}}}`);
    unused.delete(name);
    return String(value);
  });
  if (unused.size > 0) throw new Error(`no hole for ${[...unused].join(", ")}`);
  return text;
}
