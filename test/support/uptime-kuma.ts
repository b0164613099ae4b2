/** Databases of Uptime Kuma with its own tables, of version 1 (before it had groups) and 2. */
import { Database } from 'bun:sqlite'

const V1 = `
  CREATE TABLE monitor (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, name VARCHAR(150), active BOOLEAN DEFAULT 1 NOT NULL, user_id INTEGER,
    interval INTEGER DEFAULT 20 NOT NULL, url TEXT, type VARCHAR(20), weight INTEGER DEFAULT 2000, hostname VARCHAR(255),
    port INTEGER, created_date DATETIME DEFAULT (DATETIME('now')) NOT NULL, keyword VARCHAR(255),
    maxretries INTEGER NOT NULL DEFAULT 0, ignore_tls BOOLEAN DEFAULT 0 NOT NULL, upside_down BOOLEAN DEFAULT 0 NOT NULL,
    push_token VARCHAR(20) DEFAULT NULL, retry_interval INTEGER DEFAULT 0 NOT NULL
  );
  CREATE TABLE heartbeat (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, important BOOLEAN DEFAULT 0 NOT NULL, monitor_id INTEGER NOT NULL,
    status SMALLINT NOT NULL, msg TEXT, time DATETIME NOT NULL, ping INTEGER, duration INTEGER DEFAULT 0 NOT NULL
  );
  CREATE TABLE notification (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, name VARCHAR(255), config VARCHAR(255), active BOOLEAN NOT NULL DEFAULT 1,
    user_id INTEGER NOT NULL, is_default BOOLEAN DEFAULT 0 NOT NULL
  );
  CREATE TABLE monitor_notification (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, monitor_id INTEGER NOT NULL, notification_id INTEGER NOT NULL
  );
  CREATE TABLE tag (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, name VARCHAR(255) NOT NULL, color VARCHAR(255) NOT NULL,
    created_date DATETIME DEFAULT (DATETIME('now')) NOT NULL
  );
  CREATE TABLE monitor_tag (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, monitor_id INTEGER NOT NULL, tag_id INTEGER NOT NULL, value TEXT
  );
  CREATE TABLE setting (id INTEGER PRIMARY KEY AUTOINCREMENT, key VARCHAR(200) NOT NULL UNIQUE, value TEXT, type VARCHAR(20));
`

const V2 = `
  ALTER TABLE monitor ADD COLUMN description TEXT;
  ALTER TABLE monitor ADD COLUMN parent INTEGER REFERENCES monitor (id) ON DELETE SET NULL ON UPDATE CASCADE;
  ALTER TABLE monitor ADD COLUMN timeout DOUBLE DEFAULT 0 NOT NULL;
  ALTER TABLE heartbeat ADD COLUMN down_count INTEGER DEFAULT 0 NOT NULL;
  ALTER TABLE heartbeat ADD COLUMN end_time DATETIME;
  ALTER TABLE heartbeat ADD COLUMN retries INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE stat_hourly (id INTEGER PRIMARY KEY, monitor_id INTEGER NOT NULL, timestamp INTEGER NOT NULL, up SMALLINT NOT NULL);
`

export interface KumaFile {
  /** @returns the id of the row */
  add(table: string, row: Readonly<Record<string, string | number | null>>): number
  run(statement: string): void
  /** Adds one push monitor with arbitrary settings. */
  withPush(): KumaFile
  close(): void
}

export function createKumaFile(path: string, version: 1 | 2): KumaFile {
  const database = new Database(path, { create: true })
  database.run(V1)
  if (version === 2) database.run(V2)
  const file: KumaFile = {
    add(table, row) {
      const columns = Object.keys(row)
      const statement = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
      return Number(database.query(statement).run(...Object.values(row)).lastInsertRowid)
    },
    run: (statement) => void database.run(statement),
    withPush() {
      file.add('monitor', {
        name: 'Backup',
        type: 'push',
        interval: 3600,
        push_token: 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6',
      })
      return file
    },
    close: () => database.close(),
  }
  return file
}
