/** There are no errors of the system. */
export function getSystemErrorMap(): Map<number, [string, string]> {
  return new Map();
}

/** As `inherits` of node:util. */
export function inherits(child: { prototype: object }, parent: { prototype: object }): void {
  Object.setPrototypeOf(child.prototype, parent.prototype);
}
