import { type Spec, sortedKeys, specOf } from "../../packages/coder/src/index.ts";

/** Rewrites the table of the page on settings from the rows of the program; other text stays. */
export function settingsPage(page: string): string {
  const rows = sortedKeys().map((key) => {
    const spec = specOf(key);
    const cells = [
      `\`${key}\``,
      valuesOf(spec),
      defaultOf(spec),
      fromProject(spec),
      spec.applies ?? "session",
      spec.about,
    ];
    return `| ${cells.map((cell) => cell.replace(/(?<!\\)\|/g, "\\|")).join(" | ")} |`;
  });
  const head = "| key | values | default | harmless | applies | meaning |\n| --- | --- | --- | --- | --- | --- |";
  return page.replace(/^\| key \|[\s\S]*?\n\n/m, () => `${head}\n${rows.join("\n")}\n\n`);
}

function valuesOf(spec: Spec): string {
  if (spec.type === "choice") return spec.values.map((value) => `\`${value}\``).join(", ");
  if (spec.type === "number") return `${spec.min} to ${spec.max}`;
  if (spec.type === "list") return `a list of ${spec.of}`;
  return spec.type === "switch" ? "true, false" : spec.type;
}

const defaultOf = ({ type, default: value }: Spec): string =>
  value === undefined || type === "list" ? "–" : type === "choice" ? `\`${value}\`` : String(value);

/** Values that a project may set: all, some or none, and others once it is trusted. */
function fromProject(spec: Spec): string {
  if (spec.type === "list") return spec.strict ? "what is stricter" : spec.harmless ? "yes" : "no";
  const values = spec.type === "choice" ? spec.values : spec.type === "switch" ? [true, false] : [probe(spec)];
  const free = values.filter((value) => spec.harmless?.(value));
  const some = free.map((value) => `\`${value}\``).join(", ");
  const plain = free.length === 0 ? "" : free.length === values.length ? "yes" : some;
  const asked = spec.trusted ? "after trust" : "";
  return [plain, asked].filter(Boolean).join(", else ") || (spec.harmless ? "some" : "no");
}

const probe = (spec: Spec): unknown => (spec.type === "number" ? (spec.default ?? spec.min) : "text");
