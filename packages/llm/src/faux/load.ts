import { codeOf, fail, messageOf, nearest, ok, type Result } from "@pith/kit";
import type { MistakePath } from "./check.ts";
import type { Script } from "./script.ts";

export type ReadFile = (path: string) => Promise<string>;

/** Built-in scripts, loaded when named. */
const builtin: Readonly<Record<string, () => Promise<Script>>> = {
  tour: async () => (await import("./builtin/tour.ts")).tour,
  echo: async () => (await import("./builtin/echo.ts")).echo,
};

export const isScriptFile = (name: string): boolean => /\.(ya?ml|json)$/i.test(name);

/** Loads a built-in script by name, or one from a file; `readFile` resolves relative paths. */
export async function loadScript(name: string, readFile?: ReadFile): Promise<Result<Script, "missing" | "invalid">> {
  if (Object.hasOwn(builtin, name)) return ok((await builtin[name]?.()) as Script);
  if (!isScriptFile(name)) {
    const meant = nearest(name, Object.keys(builtin));
    const names = Object.keys(builtin).join(", ");
    const known = `the built-in ones are ${names}; a script file ends with .yml, .yaml or .json`;
    return fail(
      "missing",
      `there is no built-in script "${name}"${meant ? ` (did you mean ${meant}?)` : ""}: ${known}`,
    );
  }
  let text: string;
  try {
    text = await (readFile ?? (await import("../platform.ts")).readText)(name);
  } catch (thrown) {
    const why = codeOf(thrown) === "ENOENT" ? "there is no such file" : messageOf(thrown);
    return fail("missing", `the script ${name} cannot be read: ${why}`);
  }
  return parseScript(text, name);
}

/** Parses the text of a script; `name` decides the format and stands in messages. */
export async function parseScript(text: string, name: string): Promise<Result<Script, "invalid">> {
  const [{ script }, { mistakesIn }, { jsonSyntax, yamlSyntax }] = await Promise.all([
    import("./script.ts"),
    import("./check.ts"),
    import("./syntax.ts"),
  ]);
  const syntax = /\.json$/i.test(name) ? jsonSyntax : await yamlSyntax();
  let value: unknown;
  try {
    value = syntax.parse(text);
  } catch (thrown) {
    return fail(
      "invalid",
      `${name}, line ${syntax.errorLine(text)}: not ${syntax.name}: ${messageOf(thrown).replace(/^\w+ Parse error: /, "")}`,
    );
  }
  const mistakes = mistakesIn(value, script);
  if (mistakes.length === 0) return ok(value as Script);
  const first = mistakes.slice(0, 3).map(({ path, text: said }) => `${name}: ${place(path)}${said}`);
  return fail("invalid", first.join("\n"));
}

/** `turn 2, calls[0].tool: ` */
function place(path: MistakePath): string {
  const inTurn = path[0] === "turns" && typeof path[1] === "number";
  const key = (inTurn ? path.slice(2) : path).reduce<string>(
    (all, part) => (typeof part === "number" ? `${all}[${part}]` : all ? `${all}.${part}` : part),
    "",
  );
  const place = [...(inTurn ? [`turn ${Number(path[1]) + 1}`] : []), ...(key ? [key] : [])];
  return place.length > 0 ? `${place.join(", ")}: ` : "";
}
