/** A call as a model wrote it; its arguments are JSON where they came whole, and stay as they were written elsewhere. */
export interface Written {
  name: string;
  args: string;
}

export interface Found {
  calls: Written[];
  length: number;
}
