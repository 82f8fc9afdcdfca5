import type { Model } from "../model/model.ts";
import type { VendorRow } from "./table.ts";

/** Its models run on a machine of one's own; what a proxy there leads to is somebody else's. */
export const runsLocally = ({ id, local }: Pick<VendorRow, "id" | "local">): boolean =>
  local === true && id !== "litellm";

/** With what tells how a model on a machine of one's own is worked with. */
export function withSize(vendor: VendorRow, model: Model): Model {
  if (!runsLocally(vendor) || /[:-]cloud$/i.test(model.id)) return model;
  const size = model.size ?? parameterSize(model.id);
  return { ...model, local: true, ...(size === undefined ? {} : { size }) };
}

/** Billions of parameters as names and servers write them: `7b`, `30B-A3B`, `8x7b`, `669.2M`, `1T`. */
export function parameterSize(text: string): number | undefined {
  const sizes = [...text.matchAll(written)].map(
    ([, experts = "1", amount, unit = ""]) => Number(experts) * Number(amount) * (scale[unit.toLowerCase()] ?? 1),
  );
  return sizes.length > 0 ? Math.max(...sizes) : undefined;
}

// What stands behind a letter is how many of them are at work (`A3B`), or no size at all.
const written = /(?<![\da-z.])(?:(\d{1,3})x)?(\d{1,4}(?:\.\d{1,3})?)([mbt])(?![a-z\d])/gi;
const scale: Readonly<Record<string, number>> = { m: 0.001, b: 1, t: 1000 };
