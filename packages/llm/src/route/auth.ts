/** Who we are to a server. */
export interface Auth {
  headers: Readonly<Record<string, string>>;
  /** What the user sets to change it. */
  variable: string;
  secrets: readonly string[];
  /** Headers that depend on what is sent. */
  sign?(message: UnsignedRequest): Readonly<Record<string, string>>;
}

export interface UnsignedRequest {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | string;
  now: number;
}
