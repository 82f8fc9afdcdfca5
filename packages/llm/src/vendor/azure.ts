import type { Vendor } from "./vendor.ts";

/** Azure deployments by model name: `gpt-5.5=mine,gpt-4o=other`. */
export function deploymentsIn(env: Readonly<Record<string, string | undefined>>): ReadonlyMap<string, string> {
  const pairs = (env.AZURE_OPENAI_DEPLOYMENT_NAME_MAP ?? "").split(",").map((pair) => pair.split("="));
  return new Map(
    pairs.flatMap(([model = "", deployment = ""]) =>
      model.trim() && deployment.trim() ? [[model.trim(), deployment.trim()] as const] : [],
    ),
  );
}

export const isAzure = ({ api }: Pick<Vendor, "api">): boolean => api === "azure-openai-responses";
