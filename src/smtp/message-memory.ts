/**
 * Limits the memory that incoming messages use. The number of connections limits small messages. A large message needs one of a few slots.
 * If no slot is free, the reply asks the client to try again later.
 */
import { READABLE_BYTES } from '../lib/mime/decode.ts'
import { Rejection } from './rejection.ts'

export interface MemoryLimits {
  /** maximum size of a message in bytes */
  readonly messageBytes: number
  /** maximum size of a small message in bytes */
  readonly smallMessageBytes: number
  /** maximum number of large messages at the same time */
  readonly largeMessages: number
}

/** A received message. */
export interface Message {
  /** the first megabyte of the message, or all of a shorter message */
  readonly beginning: Uint8Array
  /** the rest of the message, in pieces of half a megabyte */
  readonly rest: readonly Uint8Array[]
}

export class MessageMemory {
  readonly #limits: MemoryLimits
  #slots: number

  constructor(limits: MemoryLimits) {
    this.#limits = limits
    this.#slots = limits.largeMessages
  }

  /**
   * Reads a message to its end, even a rejected one, and keeps it in memory until `use` has finished.
   * @param mostBytes limit for this message, if lower than the general limit
   * @throws Rejection if the message is too large, gets no slot or is incomplete; any error that `use` throws
   */
  async receive<Result>(
    pieces: AsyncIterable<Uint8Array>,
    mostBytes: number,
    use: (message: Message) => Promise<Result>,
  ): Promise<Result> {
    const message = new Incoming(this.#limits, Math.min(mostBytes, this.#limits.messageBytes), this)
    try {
      await message.read(pieces)
      return await use(message.end())
    } finally {
      message.release()
    }
  }

  /** @returns false if all slots are taken */
  takeSlot(): boolean {
    if (this.#slots === 0) return false
    this.#slots -= 1
    return true
  }

  releaseSlot(): void {
    this.#slots += 1
  }
}

/** An incoming message. */
class Incoming {
  readonly #limits: MemoryLimits
  readonly #memory: MessageMemory
  #collected: ByteCollector
  #hasSlot = false
  #rejection: Rejection | null = null

  constructor(limits: MemoryLimits, mostBytes: number, memory: MessageMemory) {
    this.#limits = limits
    this.#memory = memory
    this.#collected = new ByteCollector(mostBytes)
  }

  async read(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const piece of pieces) this.#add(piece)
    } catch (cause) {
      throw new Rejection(451, 'the message is incomplete', { cause })
    }
  }

  #add(piece: Uint8Array): void {
    if (this.#rejection) return
    const isSmall = this.#collected.length + piece.length <= this.#limits.smallMessageBytes
    if (!isSmall && !this.#hasSlot) this.#hasSlot = this.#memory.takeSlot()
    if (!isSmall && !this.#hasSlot) this.#reject(new Rejection(451, 'too many large messages at once, try again later'))
    else if (!this.#collected.add(piece)) this.#reject(new Rejection(552, 'the message is too large'))
  }

  /** @throws Rejection */
  end(): Message {
    if (this.#rejection) throw this.#rejection
    return this.#collected.message()
  }

  release(): void {
    if (this.#hasSlot) this.#memory.releaseSlot()
    this.#hasSlot = false
  }

  #reject(rejection: Rejection): void {
    this.#rejection = rejection
    this.#collected = new ByteCollector(0)
    this.release()
  }
}

const FIRST_CAPACITY = 16 * 1024
/** Size of a piece in bytes. Writing a piece takes a few milliseconds. */
const PIECE_BYTES = 512 * 1024

/** Collects chunks of bytes. One-byte chunks take no more memory than large ones. Only the first megabyte is copied when it grows. */
class ByteCollector {
  #beginning = new Uint8Array(FIRST_CAPACITY)
  /** Pieces of the rest. All but the last one are full. */
  readonly #rest: Uint8Array[] = []
  #length = 0

  /** @param limit maximum number of bytes */
  constructor(readonly limit: number) {}

  get length(): number {
    return this.#length
  }

  /** @returns false if the piece exceeds the limit, in which case none of it is added */
  add(piece: Uint8Array): boolean {
    if (this.#length + piece.length > this.limit) return false
    for (let at = 0; at < piece.length; ) {
      const room = this.#room(piece.length - at)
      const some = piece.subarray(at, at + room.length)
      room.set(some)
      this.#length += some.length
      at += some.length
    }
    return true
  }

  /** Returns all bytes collected so far, as views that are valid until more bytes are added. */
  message(): Message {
    const behind = this.#length - READABLE_BYTES
    return {
      beginning: this.#beginning.subarray(0, this.#length),
      rest: this.#rest.map((piece, index) => piece.subarray(0, behind - index * PIECE_BYTES)),
    }
  }

  /** Returns free memory for the next bytes, at least one byte long. */
  #room(needed: number): Uint8Array {
    if (this.#length < READABLE_BYTES) {
      if (this.#length === this.#beginning.length) this.#grow(needed)
      return this.#beginning.subarray(this.#length)
    }
    const taken = (this.#length - READABLE_BYTES) % PIECE_BYTES
    if (taken === 0) this.#rest.push(new Uint8Array(PIECE_BYTES))
    return (this.#rest.at(-1) as Uint8Array).subarray(taken)
  }

  #grow(needed: number): void {
    const capacity = Math.min(Math.max(this.#length + needed, this.#length * 2), READABLE_BYTES)
    const larger = new Uint8Array(capacity)
    larger.set(this.#beginning)
    this.#beginning = larger
  }
}
