import type { Protocol } from "../protocol/protocol.ts";
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

/** A protocol with what Azure needs: its API version, and the names of deployments in the place of models. */
export function azureProtocol(protocol: Protocol, env: Readonly<Record<string, string | undefined>>): Protocol {
  const version = env.AZURE_OPENAI_API_VERSION?.trim();
  const query = version && version !== "v1" ? `?api-version=${encodeURIComponent(version)}` : "";
  const deployments = deploymentsIn(env);
  return {
    ...protocol,
    path: (model) => protocol.path(model) + query,
    encode(request) {
      const body = protocol.encode(request);
      const [head = "", ...rest] = body;
      const deployment = deployments.get(request.model.id);
      const named = (id: string) => `"model":${JSON.stringify(id)}`;
      return deployment ? [head.replace(named(request.model.id), () => named(deployment)), ...rest] : body;
    },
  };
}
