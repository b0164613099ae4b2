/** Memory limits of Kubernetes containers. */
import { at, type Tree } from '../tree.ts'

const MEBIBYTE = 2 ** 20

/** Returns true if the container's memory limit is below this amount. */
export function hasLessMemoryThan(mebibytes: number, container: Tree): boolean {
  const limit = bytesOf(at(container, 'resources', 'limits', 'memory'))
  return limit !== null && limit < mebibytes * MEBIBYTE
}

const UNITS: Readonly<Record<string, number>> = { '': 1, m: 1e-3, k: 1e3, M: 1e6, Ki: 2 ** 10, Mi: MEBIBYTE }

/** Converts a memory quantity to bytes. Returns null for anything else, and for units so large that any quantity suffices. */
function bytesOf(quantity: Tree): number | null {
  const text = typeof quantity === 'string' || typeof quantity === 'number' ? String(quantity) : ''
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([A-Za-z]{0,2})$/.exec(text) ?? []
  const size = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined
  return amount === undefined || size === undefined ? null : Number(amount) * size
}
