import type { CustomVendor } from "../catalog/custom.ts";
import type { CustomModel } from "../catalog/custom-model.ts";
import { baseVariables, type VendorRow, vendors } from "./table.ts";

/** A vendor with what `models.yml` says of it. */
export interface Vendor extends VendorRow {
  own?: CustomVendor;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The vendors that a person added come first: whoever writes one down wants it. */
export function vendorsFor(env: Env, custom: readonly CustomVendor[]): readonly Vendor[] {
  const list = isOn(env.CLAUDE_CODE_USE_FOUNDRY)
    ? vendors.map((row) => (row.id === "anthropic" ? foundry(row) : row))
    : vendors;
  return custom.length === 0 ? list : merged(list, custom);
}

const isOn = (value: string | undefined): boolean => /^(?:1|true|yes|on)$/i.test(value?.trim() ?? "");

/** Anthropic's models at Microsoft: another key, another address. */
const foundry = (row: VendorRow): VendorRow => ({
  ...row,
  keys: ["ANTHROPIC_FOUNDRY_API_KEY", ...row.keys],
  bases: ["FOUNDRY_BASE_URL", ...baseVariables(row)],
  auth: "bearer",
});

function merged(list: readonly VendorRow[], custom: readonly CustomVendor[]): Vendor[] {
  const changes = new Map(custom.map((own) => [own.id, own]));
  const known = list.map((row): Vendor => {
    const own = [row.id, ...(row.also ?? [])].map((name) => changes.get(name)).find((found) => found !== undefined);
    if (!own) return row;
    changes.delete(own.id);
    return { ...row, ...changed(own), own };
  });
  const added = [...changes.values()].map(
    (own): Vendor => ({
      id: own.id,
      api: "openai-completions",
      url: own.baseUrl ?? "",
      keys: [],
      bases: [],
      ...changed(own),
      own,
    }),
  );
  return [...added, ...known];
}

function changed({ api, baseUrl, headers, compat, authHeader }: CustomVendor): Partial<VendorRow> {
  return {
    ...(api ? { api } : {}),
    ...(baseUrl ? { url: baseUrl } : {}),
    ...(headers ? { headers } : {}),
    ...(compat ? { compat } : {}),
    ...(authHeader ? { auth: "bearer" } : {}),
  };
}

/** What `models.yml` says of a model. */
export const ownModel = ({ own }: Vendor, id: string): CustomModel | undefined =>
  [...(own?.models ?? []), ...(own?.overrides ?? [])].find((model) => model.id === id);

export const vendorIn = (list: readonly Vendor[], name: string): Vendor | undefined =>
  list.find((row) => row.id === name || row.also?.includes(name));

/** Whether somebody wants this vendor: a key of it, its address, or a line of `models.yml`. */
export const isWanted = (vendor: Vendor, env: Env): boolean =>
  vendor.own !== undefined ||
  [...vendor.keys, ...baseVariables(vendor), ...(vendor.signs ?? [])].some((variable) => env[variable]?.trim());
