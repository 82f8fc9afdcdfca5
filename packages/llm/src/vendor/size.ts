import type { Model } from "../model/model.ts";
import type { VendorRow } from "./table.ts";

/** True when models run on the user's machine; LiteLLM is a proxy to other servers. */
export const runsLocally = ({ id, local }: Pick<VendorRow, "id" | "local">): boolean =>
  local === true && id !== "litellm";

/** Adds `local` and the size to a model on the user's machine. */
export function withSize(vendor: VendorRow, model: Model): Model {
  if (!runsLocally(vendor) || /[:-]cloud$/i.test(model.id)) return model;
  const size = model.size ?? parameterSize(model.id);
  return { ...model, local: true, ...(size === undefined ? {} : { size }) };
}

/** Billions of parameters in a name: `7b`, `30B-A3B`, `8x7b`, `669.2M`, `1T`. */
export function parameterSize(text: string): number | undefined {
  const sizes = [...text.matchAll(written)].map(
    ([, experts = "1", amount, unit = ""]) => Number(experts) * Number(amount) * (scale[unit.toLowerCase()] ?? 1),
  );
  return sizes.length > 0 ? Math.max(...sizes) : undefined;
}

// A number after a letter is the active part (`A3B`) or no size.
const written = /(?<![\da-z.])(?:(\d{1,3})x)?(\d{1,4}(?:\.\d{1,3})?)([mbt])(?![a-z\d])/gi;
const scale: Readonly<Record<string, number>> = { m: 0.001, b: 1, t: 1000 };
