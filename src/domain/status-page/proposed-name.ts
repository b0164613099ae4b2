/** Proposes a public name for a check: its own name without words that could reveal how systems are built or where they run. */
import { SERVICE_NAME_LIMIT } from './status-page.ts'

/** Maximum number of characters to read. Names are untrusted and may be long. */
const READ = 200
/** Maximum length of a word. Longer words are probably tokens. */
const WORD_LIMIT = 24

/** Words that name a program, a kind of machine, or a place where something runs. */
const INTERNAL = new Set(
  `prod production staging stage dev devel development test testing qa uat int preprod internal intern live env
  cron crontab cronjob systemd timer bash shell script sh python node java php ruby perl powershell sql api host server vm
  pg psql postgres postgresql pgdump mysql mysqldump mariadb mongo mongodb mongodump mssql oracle sqlite redis elastic elasticsearch
  opensearch kafka rabbitmq nginx apache haproxy docker podman kubernetes helm ansible terraform jenkins gitlab github
  aws azure gcp s3 gcs wal zfs btrfs restic borg borgbackup borgmatic rsync rclone duplicity velero proxmox vmware veeam
  etl dump tar vacuum analyze reindex root sudo ssh sftp ftp smtp ldap vpn`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

/** Words that connect other words. A connecting word is removed together with the word that it connects. */
const JOINING = new Set(['on', 'at', 'from', 'to', 'for', 'of', 'in', 'by', 'via', 'with', 'and', 'into', 'the'])

/**
 * Returns a name such as `Nightly backup` for `nightly-backup (db01.internal)`; '' if no word is safe to show. The owner of the page can
 * edit the name.
 */
export function proposedName(ownName: string): string {
  const words = ownName
    .slice(0, READ)
    .toWellFormed()
    .replace(/\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}|<[^<>]*>/g, ' ')
    .split(/\s+/)
    .flatMap(wordsIn)
  const kept = withoutLoose(words.filter((word) => !INTERNAL.has(word.toLowerCase())))
  const name = kept.join(' ').slice(0, SERVICE_NAME_LIMIT)
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/**
 * Splits a piece of the name that contains no spaces into words. Returns none if the piece is a host, an address, a path, an identifying
 * number or a secret.
 */
function wordsIn(piece: string): readonly string[] {
  const bare = piece.replace(/^["'‘’“”,;:.!?|–—-]+|["'‘’“”,;:.!?|–—-]+$/g, '')
  const stem = /^([\p{L}_-]+)\.(?:sh|py|pl|rb|js|ts|php|sql|ps1|bat|exe)$/iu.exec(bare)?.[1] ?? bare
  if (/[^\p{L}\p{M}\p{N}&'’_-]/u.test(stem)) return []
  if (/^\p{N}{1,2}$/u.test(stem)) return [stem]
  const words = stem.split(/[_-]+/)
  const plain = words.filter((word) => !/\p{N}/u.test(word))
  // A piece with two or more words that contain digits is a UUID, a date or a serial number.
  if (words.length - plain.length > 1) return []
  return plain.filter((word) => word !== '' && word.length <= WORD_LIMIT)
}

/** Removes connecting words at both ends, because the words that they connected were removed. */
function withoutLoose(words: readonly string[]): readonly string[] {
  const isLoose = (word: string | undefined) => word !== undefined && JOINING.has(word.toLowerCase())
  let [from, to] = [0, words.length]
  while (from < to && isLoose(words[from])) from++
  while (to > from && isLoose(words[to - 1])) to--
  return words.slice(from, to)
}
