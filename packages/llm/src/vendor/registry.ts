import type { Vendor } from "./vendor.ts";

export interface VendorRow {
  id: string;
  /** One of these set means that somebody wants this vendor. */
  variables: readonly string[];
  load(): Promise<Vendor>;
}

/** Every vendor, in the order in which a default is looked for. A row costs nothing until it is used. */
export const vendors: readonly VendorRow[] = [
  { id: "openai", variables: ["OPENAI_API_KEY", "OPENAI_BASE_URL"], load: async () => (await import("./openai.ts")).openai },
];

export const configured = (env: Readonly<Record<string, string | undefined>>): VendorRow[] =>
  vendors.filter((row) => row.variables.some((variable) => env[variable]?.trim()));
