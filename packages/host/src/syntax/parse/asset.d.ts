declare module "*.zst" {
  const path: string;
  export default path;
}
declare module "web-tree-sitter/web-tree-sitter.wasm" {
  const path: string;
  export default path;
}
