import type { Compat } from "../message/compat.ts";
import type { Model } from "../message/model.ts";
import { BedrockDecoder } from "./bedrock-decode.ts";
import { encoder } from "./bedrock-encode.ts";
import type { Protocol } from "./protocol.ts";

/** Amazon Bedrock Converse, streamed. */
export const bedrockConverse = (compat: Compat): Protocol => ({
  api: "bedrock-converse-stream",
  encode: encoder(compat),
  decoder: () => new BedrockDecoder(),
});

export const bedrockPath = ({ id }: Pick<Model, "id">): string => `/model/${encodeURIComponent(id)}/converse-stream`;
