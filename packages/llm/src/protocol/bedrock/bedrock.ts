import type { Compat } from "../../model/compat.ts";
import type { Model } from "../../model/model.ts";
import type { Protocol } from "../protocol.ts";
import { BedrockDecoder } from "./decode.ts";
import { encoder } from "./encode.ts";

/** Amazon Bedrock Converse, streamed. */
export const bedrockConverse = (compat: Compat): Protocol => ({
  api: "bedrock-converse-stream",
  encode: encoder(compat),
  decoder: () => new BedrockDecoder(),
});

export const bedrockPath = ({ id }: Pick<Model, "id">): string => `/model/${encodeURIComponent(id)}/converse-stream`;
