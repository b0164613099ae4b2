/** Directories in which systemd looks for the units of the system and of users (systemd.unit(5), `systemd-analyze unit-paths`). */

/** Matches the directories of files that are created at run time. Users have their own directories. */
const RUN = 'run/(?:user/\\d+/)?systemd/'

/**
 * Directories in order of precedence. If several files have the same name, the file in the first of these directories is used. System
 * directories and user directories are never compared.
 */
const PLACES = [
  '\\.config/systemd/user\\.control',
  'etc/systemd/system\\.control',
  `${RUN}(?:system|user)\\.control`,
  `${RUN}transient`,
  `${RUN}generator\\.early`,
  '\\.config/systemd/user',
  'etc/xdg/systemd/user',
  'etc/systemd/(?:system|user)',
  'etc/systemd/system\\.attached',
  'run/user/\\d+/systemd/user',
  'run/systemd/(?:system|user)',
  'run/systemd/system\\.attached',
  `${RUN}generator`,
  '\\.local/share/systemd/user',
  'usr/local/share/systemd/user',
  'usr/share/systemd/user',
  'usr/local/lib/systemd/(?:system|user)',
  'usr/lib/systemd/(?:system|user)',
  'lib/systemd/(?:system|user)',
  `${RUN}generator\\.late`,
].map((place) => new RegExp(`(?:^|/)${place}/`))

/** Returns the rank of a file's directory. Files in other directories come last, in the given order. */
export function rankOf(path: string): number {
  const rank = PLACES.findIndex((place) => place.test(path))
  return rank < 0 ? PLACES.length : rank
}

const OF_USERS = /(?:^|\/)(?:systemd\/user(?:\.control)?|run\/user\/\d+\/systemd)\//
const OF_ONE_USER = /^(.*\/|)\.(?:config|local\/share)\/systemd\/user(?:\.control)?\//
const OF_ALL_USERS = /(?:^|\/)(?:etc(?:\/xdg)?|run|lib|usr\/(?:local\/)?(?:lib|share))\/systemd\/user\//

/** Returns true if the unit belongs to the manager of a user. */
export const isOfUsers = (path: string): boolean => OF_USERS.test(path)

/** Returns true if the unit belongs to the managers of all users. */
export const isOfAllUsers = (path: string): boolean => OF_ALL_USERS.test(path)

/** Returns the home directory of the unit's user, with a trailing slash. Returns null if the unit is not in a home directory. */
export const homeOf = (path: string): string | null => OF_ONE_USER.exec(path)?.[1] ?? null
