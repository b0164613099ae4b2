/** Parses names of systemd units. For example, `dump@shop.timer` is an instance of the template `dump@.timer` (systemd.unit(5)). */

interface NameParts {
  /** `dump` */
  readonly prefix: string
  /** `shop`; empty for a template; null for other units */
  readonly instance: string | null
  /** `timer` */
  readonly type: string
}

function partsOf(name: string): NameParts {
  const dot = name.lastIndexOf('.')
  const stem = name.slice(0, dot)
  const at = stem.indexOf('@')
  return {
    prefix: at < 0 ? stem : stem.slice(0, at),
    instance: at < 0 ? null : stem.slice(at + 1),
    type: name.slice(dot + 1),
  }
}

/** Maximum length of a unit name that systemd accepts, in characters. */
export const UNIT_NAME_LIMIT = 255

export const isTemplate = (name: string): boolean => partsOf(name).instance === ''

/** Returns `dump@.timer` for `dump@shop.timer`, or null for a unit that is not an instance. */
export function templateOf(name: string): string | null {
  const { prefix, instance, type } = partsOf(name)
  return instance ? `${prefix}@.${type}` : null
}

/**
 * Returns the requested instance if it belongs to the template, otherwise null.
 * @param wanted `shop` for an instance of any template, or `dump@shop`, `dump@shop.timer`, `dump@shop.service`
 */
export function instanceOf(template: string, wanted: string): string | null {
  const { prefix, type } = partsOf(template)
  const [, name, instance] = /^(?:(.*?)@)?(.*?)(?:(?<=@.+)\.(?:timer|service))?$/.exec(wanted) ?? []
  return name === undefined || name === prefix ? `${prefix}@${instance}.${type}` : null
}

/** Returns the default slice of a service. Instances of a template share a slice. @param isOfUser see systemd.special(7), `app.slice` */
export function sliceNameOf(name: string, isOfUser: boolean): string {
  const { prefix, instance } = partsOf(name)
  const root = isOfUser ? 'app' : 'system'
  return instance === null ? `${root}.slice` : `${root}-${prefix.replaceAll('-', '\\x2d')}.slice`
}

/** Returns the directories for a unit's drop-ins. Directories that apply only to this unit come first. */
export function dropInFolders(name: string): readonly string[] {
  const { prefix, type } = partsOf(name)
  const template = templateOf(name)
  const dashes = [...prefix.matchAll(/-(?!$)/g)].map(({ index }) => `${prefix.slice(0, index + 1)}.${type}`)
  return [name, ...(template === null ? [] : [template]), ...dashes.reverse(), type].map((folder) => `${folder}.d`)
}

/** Replaces the specifiers in the text with their values. Specifiers for the machine or the user stay unchanged. */
export function withSpecifiers(text: string, name: string): string {
  if (!text.includes('%')) return text
  const { prefix, instance, type } = partsOf(name)
  const last = prefix.slice(prefix.lastIndexOf('-') + 1)
  const meanings: Readonly<Record<string, string>> = {
    '%': '%',
    i: instance ?? '',
    I: unescaped(instance ?? ''),
    j: last,
    J: unescaped(last),
    n: name,
    N: name.slice(0, -type.length - 1),
    p: prefix,
    P: unescaped(prefix),
  }
  return text.replaceAll(/%([%a-zA-Z])/g, (whole, letter: string) => meanings[letter] ?? whole)
}

/** Does the same as `systemd-escape --unescape`. The escape codes represent UTF-8 bytes. */
function unescaped(text: string): string {
  return text.replaceAll('-', '/').replaceAll(/(?:\\x[0-9a-f]{2})+/gi, (codes) => {
    return Buffer.from(codes.replaceAll(/\\x/gi, ''), 'hex').toString()
  })
}

/**
 * Returns the name to display, without the unit type, such as `rand-up` for `rand\x2dup.timer`. Parts without escape codes stay unchanged,
 * because most dashes in such parts are meant literally.
 */
export function readableName(name: string): string {
  const { prefix, instance } = partsOf(name)
  const readable = (part: string) => (/\\x[0-9a-f]{2}/i.test(part) ? unescaped(part) : part)
  return instance === null ? readable(prefix) : `${readable(prefix)}@${readable(instance)}`
}
