/** Rules for the packages of this project. Pure. */
import type { Package } from './packages.ts'

/** Licences that require no more than a notice (SPDX identifiers). */
const ALLOWED_LICENCES: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  // As htmx.org names 0BSD.
  'BSD-0-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]

/** Licences with duties for people who pass the package on, for packages that are not in the program. */
const ALLOWED_FOR_DEVELOPMENT: readonly string[] = ['MPL-2.0']

/** Packages that may run a script when they are installed, with the reason. */
const MAY_RUN_SCRIPTS: Readonly<Record<string, string>> = { bun: 'selects the executable for this platform' }

/**
 * @param expression an SPDX expression
 * @param isProduction whether the package is in the program
 * @returns whether it allows a choice of allowed licences only; false for `WITH` and for nested brackets
 */
export function isAllowedLicence(expression: string, isProduction: boolean): boolean {
  const allowed = isProduction ? ALLOWED_LICENCES : [...ALLOWED_LICENCES, ...ALLOWED_FOR_DEVELOPMENT]
  const bare = /^\(([^()]*)\)$/.exec(expression.trim())?.[1] ?? expression
  return bare.split(' OR ').some((choice) => choice.split(' AND ').every((part) => allowed.includes(part.trim())))
}

/** @returns a sentence for each rule that the package breaks */
export function problemsOf({ name, version, integrity, registry, isProduction, installed }: Package): string[] {
  const who = `${name}@${version}`
  const problems: string[] = []
  if (!/^\d+\.\d+\.\d+/.test(version)) problems.push(`${who} does not come from a registry: use a released version`)
  if (registry !== '') problems.push(`${who} is pinned to the registry ${registry}: remove the registry from bun.lock`)
  if (!integrity.startsWith('sha512-')) problems.push(`${who} has no sha512 in bun.lock: install it again`)
  if (installed === null) {
    if (isProduction) problems.push(`${who} is not installed: run bun install --frozen-lockfile`)
    return problems
  }
  const { licence, installScripts } = installed
  if (installed.version !== version) {
    problems.push(`${who} is installed as ${installed.version}: run bun install --frozen-lockfile`)
  }
  if (!isAllowedLicence(licence, isProduction)) {
    problems.push(
      `${who} has the licence "${licence}"; allowed are ${ALLOWED_LICENCES.join(', ')}: use another package`,
    )
  }
  const mayRunScripts = !isProduction && name in MAY_RUN_SCRIPTS
  if (installScripts.length > 0 && !mayRunScripts) {
    problems.push(`${who} has install scripts (${installScripts.join(', ')}): use another package`)
  }
  return problems
}

/** @param ranges the version ranges of a `package.json`, by package name */
export function loosePins(ranges: Readonly<Record<string, string>>): string[] {
  return Object.entries(ranges)
    .filter(([, range]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(range))
    .map(([name, range]) => `${name} has the range "${range}": use an exact version`)
}
