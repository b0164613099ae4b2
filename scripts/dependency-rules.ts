/** What a package has to be like before this project may be made with it: pure, so that the rules can be tested. */
import type { Package } from './packages.ts'

/** Licences that ask for no more than to be told of (SPDX identifiers). */
export const ALLOWED_LICENCES: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]

/** By name: packages that may run a script when they are installed. */
const MAY_RUN_SCRIPTS: Readonly<Record<string, string>> = { bun: 'puts the program for this machine in place' }

/**
 * True when an SPDX expression leaves a choice that is allowed. Of expressions with `WITH`, or with brackets around more
 * than a choice, nothing is known, so they are not.
 */
export function isAllowedLicence(expression: string): boolean {
  const bare = /^\(([^()]*)\)$/.exec(expression.trim())?.[1] ?? expression
  return bare
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((part) => ALLOWED_LICENCES.includes(part.trim())))
}

/** What is wrong with a package, in sentences; none when nothing is. */
export function problemsOf({ name, version, integrity, registry, isProduction, installed }: Package): string[] {
  const who = `${name}@${version}`
  const problems: string[] = []
  if (!/^\d+\.\d+\.\d+/.test(version)) problems.push(`${who} comes from elsewhere than a registry: use a version of it`)
  if (registry !== '') problems.push(`${who} is pinned to one registry, ${registry}: lock it without`)
  if (!integrity.startsWith('sha512-')) problems.push(`${who} has no sha512 in bun.lock: install it anew`)
  if (installed === null) {
    if (isProduction) problems.push(`${who} is not installed: run bun install --frozen-lockfile`)
    return problems
  }
  const { licence, installScripts } = installed
  if (installed.version !== version) {
    problems.push(`${who} is installed as ${installed.version}: run bun install --frozen-lockfile`)
  }
  if (!isAllowedLicence(licence)) {
    problems.push(
      `${who} has the licence "${licence}", allowed are ${ALLOWED_LICENCES.join(', ')}: use another package`,
    )
  }
  const mayRunScripts = !isProduction && name in MAY_RUN_SCRIPTS
  if (installScripts.length > 0 && !mayRunScripts) {
    problems.push(`${who} wants to run ${installScripts.join(', ')} when it is installed: use another package`)
  }
  return problems
}

/** @param ranges by package name, of a `package.json` */
export function loosePins(ranges: Readonly<Record<string, string>>): string[] {
  return Object.entries(ranges)
    .filter(([, range]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(range))
    .map(([name, range]) => `${name} is asked for as "${range}": name one version`)
}
