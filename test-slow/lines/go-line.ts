/** The Go snippet, compiled. The compiler takes most of a minute with an empty cache, so it runs with full effort only. */
import { writeFileSync } from 'node:fs'
import { SNIPPETS } from '../../src/http/web/parts/snippets.ts'
import { Temporal } from '../../src/lib/time.ts'
import type { Folder } from '../../test/support/folder.ts'
import { byEffort } from '../support/effort.ts'
import { type Line, WHOLE_OUTPUT } from './steps.ts'

const PLACE = 'http://url.example'

/** Returns a program that gets the URL and the exit status as arguments. */
function program(): string {
  const snippet = SNIPPETS.go(
    PLACE,
    { kind: 'simple', schedule: '', timeoutSeconds: 60, tz: 'UTC' },
    Temporal.Instant.from('2026-05-04T10:00:00Z'),
    'https://x.example',
  ).replace(`const url = "${PLACE}"`, 'var url = os.Args[1]')
  return `package main

import (
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

${snippet}

func main() {
	err := watched(func() (string, error) {
		fmt.Println("${WHOLE_OUTPUT}")
		if os.Args[2] != "0" {
			return "${WHOLE_OUTPUT}", errors.New("the job failed")
		}
		return "${WHOLE_OUTPUT}", nil
	})
	if err != nil {
		os.Exit(3)
	}
}
`
}

/** @param folder for the program */
export async function goLines(folder: Folder): Promise<readonly Line[]> {
  if (byEffort({ short: 0, full: 1 }) === 0) return []
  const built = folder.file('go-job')
  if (Bun.which('go') !== null) {
    writeFileSync(folder.file('job.go'), program())
    const child = Bun.spawn(['go', 'build', '-o', built, 'job.go'], { cwd: folder.path, stderr: 'pipe' })
    const errors = await child.stderr.text()
    if ((await child.exited) !== 0) throw new Error(errors)
  }
  return [
    {
      name: 'the Go snippet',
      needs: ['go'],
      endings: (status) => ['/start', status === 0 ? '' : '/fail'],
      sendsOutput: true,
      steps: (url, status) => [{ command: [built, url, String(status)], isJob: true }],
    },
  ]
}
