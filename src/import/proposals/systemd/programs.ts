/** Settings of systemd services that may hide `sh`, `curl`, and the files that these need from their commands (systemd.exec(5)). */
import { type Barrier, isOn, isSet, mergedList, type Settings, wordsOf } from './settings.ts'

const PROGRAMS = ['/usr/bin/sh', '/usr/bin/curl', '/usr/lib']
/** Other files that `sh` and `curl` open. */
const NEEDED = [
  ...PROGRAMS,
  ...['/dev/null', '/etc/resolv.conf', '/etc/nsswitch.conf', '/etc/ssl', '/etc/pki', '/run/systemd/resolve'],
]

/** Checks for another root: images and other roots need not have a shell and curl. */
const hidesPrograms: Barrier = (settings, name) => {
  const root = settings(name).at(-1)
  return root !== undefined && root !== '/' && !isOn(settings, 'RootDirectoryStartOnly')
}

/** Returns a path in `/usr`: `/bin` and `/lib` are mostly links to folders of the same name there. */
const plain = (path: string) => path.replace(/\/+$/, '').replace(/^\/(?=(?:s?bin|lib\w*)(?:\/|$))/, '/usr/')

/** Returns paths without the signs before and the options after each. */
const pathsOf = (settings: Settings, name: string) =>
  wordsOf(settings(name)).map((word) => plain(word.replace(/^["']?[-+]*|["']$/g, '').replace(/:.*$/, '')))

/** @param folder the empty text is `/` */
const covers = (folder: string, path: string) => path === folder || path.startsWith(`${folder}/`)

const coversNeeded: Barrier = (settings, name) => {
  const hidden = pathsOf(settings, name)
  return NEEDED.some((path) => hidden.some((folder) => covers(folder, path)))
}

/** Checks `FROM:TO`, which hides the previous content of TO. A path mounted on itself hides nothing. */
const mountsOverNeeded: Barrier = (settings, name) =>
  wordsOf(settings(name))
    .map((word) => word.replace(/^["']?-?|["']$/g, '').split(':'))
    .some(([from = '', to = from]) => from !== to && NEEDED.some((path) => covers(plain(to), path)))

/** Checks allowed paths. The path nearest to a program decides. */
const forbidsPrograms: Barrier = (settings, name) => {
  const forbidden = pathsOf(settings, name)
  const allowed = pathsOf(settings, 'ExecPaths')
  const nearest = (folders: readonly string[], path: string) =>
    folders.reduce((longest, folder) => (covers(folder, path) ? Math.max(longest, folder.length) : longest), -1)
  return PROGRAMS.some((path) => nearest(forbidden, path) > nearest(allowed, path))
}

/** @param path folders separated by colons; undefined: those of systemd */
function lacksPrograms(path: string | undefined): boolean {
  return path !== undefined && !path.split(':').some((folder) => /^\/(?:usr\/)?bin\/?$/.test(folder))
}

/** Checks PATH. Of several variables of one name, the last one counts. */
const lacksProgramsInPath: Barrier = (settings, name) => {
  const paths = [
    ...settings(name)
      .join(' ')
      .matchAll(/(?:^|[\s"'])PATH=([^\s"']*)/g),
  ]
  return lacksPrograms(paths.at(-1)?.[1])
}

/** File systems that may hold programs, devices and settings. Groups are those of `systemd-analyze filesystems`. */
const FILE_SYSTEMS =
  '@basic-api @common-block ext4 btrfs xfs zfs f2fs overlay squashfs erofs tmpfs devtmpfs proc'.split(' ')

/** Returns true if needed file systems are denied. A list of allowed ones is enough only with the groups that most machines use. */
const deniesFileSystems: Barrier = (settings, name) => {
  const list = mergedList(settings(name))
  if (list.isDenyList) return FILE_SYSTEMS.some((one) => list.named.has(one))
  const hasAll = list.named.has('@known') || (list.named.has('@basic-api') && list.named.has('@common-block'))
  return !hasAll || FILE_SYSTEMS.some((one) => list.removed.has(one))
}

export const PROGRAM_BARRIERS: Readonly<Record<string, Barrier>> = {
  RootDirectory: hidesPrograms,
  RootImage: hidesPrograms,
  TemporaryFileSystem: coversNeeded,
  InaccessiblePaths: coversNeeded,
  InaccessibleDirectories: coversNeeded,
  BindPaths: mountsOverNeeded,
  BindReadOnlyPaths: mountsOverNeeded,
  MountImages: mountsOverNeeded,
  NoExecPaths: forbidsPrograms,
  RestrictFileSystems: deniesFileSystems,
  Environment: lacksProgramsInPath,
  ExecSearchPath: (settings, name) => lacksPrograms(settings(name).join(':') || undefined),
  AppArmorProfile: isSet,
  SELinuxContext: isSet,
  SmackProcessLabel: isSet,
}
