/** Recognizes settings of systemd services that may hide `sh`, `curl`, and the files that these need, from commands (systemd.exec(5)). */
import { type Barrier, isOn, isSet, mergedList, type Settings, wordsOf } from './settings.ts'

const PROGRAMS = ['/usr/bin/sh', '/usr/bin/curl', '/usr/lib']
/** Other files that `sh` and `curl` open. */
const NEEDED = [
  ...PROGRAMS,
  ...['/dev/null', '/etc/resolv.conf', '/etc/nsswitch.conf', '/etc/ssl', '/etc/pki', '/run/systemd/resolve'],
]

/** Checks whether the service has another root directory or root image, which may not contain a shell and curl. */
const hidesPrograms: Barrier = (settings, name) => {
  const root = settings(name).at(-1)
  return root !== undefined && root !== '/' && !isOn(settings, 'RootDirectoryStartOnly')
}

/** Converts paths such as `/bin` to paths in `/usr`, because `/bin` is usually a link to `/usr/bin`. */
const plain = (path: string) => path.replace(/\/+$/, '').replace(/^\/(?=(?:s?bin|lib\w*)(?:\/|$))/, '/usr/')

/** Returns the paths in a setting, without prefixes and options. */
const pathsOf = (settings: Settings, name: string) =>
  wordsOf(settings(name)).map((word) => plain(word.replace(/^["']?[-+]*|["']$/g, '').replace(/:.*$/, '')))

/** @param folder '' means `/` */
const covers = (folder: string, path: string) => path === folder || path.startsWith(`${folder}/`)

const coversNeeded: Barrier = (settings, name) => {
  const hidden = pathsOf(settings, name)
  return NEEDED.some((path) => hidden.some((folder) => covers(folder, path)))
}

/** Checks mounts such as `FROM:TO`, which hide the previous content of TO. A path that is mounted on itself hides nothing. */
const mountsOverNeeded: Barrier = (settings, name) =>
  wordsOf(settings(name))
    .map((word) => word.replace(/^["']?-?|["']$/g, '').split(':'))
    .some(([from = '', to = from]) => from !== to && NEEDED.some((path) => covers(plain(to), path)))

/** Checks which paths the service may access. The most specific path takes precedence. */
const forbidsPrograms: Barrier = (settings, name) => {
  const forbidden = pathsOf(settings, name)
  const allowed = pathsOf(settings, 'ExecPaths')
  const nearest = (folders: readonly string[], path: string) =>
    folders.reduce((longest, folder) => (covers(folder, path) ? Math.max(longest, folder.length) : longest), -1)
  return PROGRAMS.some((path) => nearest(forbidden, path) > nearest(allowed, path))
}

/** @param path directories separated by colons; undefined for systemd's default */
function lacksPrograms(path: string | undefined): boolean {
  return path !== undefined && !path.split(':').some((folder) => /^\/(?:usr\/)?bin\/?$/.test(folder))
}

/** Checks the variable PATH. If it is set several times, the last value is used. */
const lacksProgramsInPath: Barrier = (settings, name) => {
  const paths = [
    ...settings(name)
      .join(' ')
      .matchAll(/(?:^|[\s"'])PATH=([^\s"']*)/g),
  ]
  return lacksPrograms(paths.at(-1)?.[1])
}

/** Matches file systems that may contain programs, devices and settings. `systemd-analyze filesystems` lists the groups. */
const FILE_SYSTEMS =
  '@basic-api @common-block ext4 btrfs xfs zfs f2fs overlay squashfs erofs tmpfs devtmpfs proc'.split(' ')

/** Returns true if required file systems are denied. An allow list is sufficient only if it includes the groups that most machines use. */
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
