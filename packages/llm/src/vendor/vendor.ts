import type { CustomVendor } from "../catalog/custom/custom.ts";
import type { CustomModel } from "../catalog/custom/model.ts";
import type { Env } from "./api.ts";
import { baseVariables, type VendorRow, vendors } from "./table.ts";

/** A vendor with its changes in `models.yml`. */
export interface Vendor extends VendorRow {
  custom?: CustomVendor;
}

/** All vendors; those that the user added come first. */
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

function merged(list: readonly VendorRow[], rows: readonly CustomVendor[]): Vendor[] {
  const changes = new Map(rows.map((row) => [row.id, row]));
  const known = list.map((row): Vendor => {
    const custom = [row.id, ...(row.also ?? [])].map((name) => changes.get(name)).find((change) => change);
    if (!custom) return row;
    changes.delete(custom.id);
    return { ...row, ...changed(row, custom), custom };
  });
  const added = [...changes.values()].map((custom): Vendor => {
    const row: VendorRow = { id: custom.id, api: "openai-completions", url: "", keys: [], bases: [] };
    return { ...row, ...changed(row, custom), custom };
  });
  return [...added, ...known];
}

function changed(row: VendorRow, { api, baseUrl, headers, compat, authHeader }: CustomVendor): Partial<VendorRow> {
  return {
    api: api ?? row.api,
    url: baseUrl || row.url,
    headers: headers ?? row.headers,
    compat: compat ?? row.compat,
    auth: authHeader ? "bearer" : row.auth,
  };
}

/** The entry of a model in `models.yml`. */
export const customModel = ({ custom }: Vendor, id: string): CustomModel | undefined =>
  [...(custom?.models ?? []), ...(custom?.overrides ?? [])].find((model) => model.id === id);

export function vendorIn(list: readonly Vendor[], name: string): Vendor | undefined {
  const wanted = name.toLowerCase();
  return list.find((row) => row.id.toLowerCase() === wanted || row.also?.includes(wanted));
}

/** True when the user wants this vendor: it has a key, an address, or an entry in `models.yml`. */
export const isConfigured = (vendor: Vendor, env: Env): boolean =>
  vendor.custom !== undefined ||
  [...vendor.keys, ...baseVariables(vendor), ...(vendor.signs ?? [])].some((variable) => env[variable]?.trim());
