import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SIGNATURE_ROOM, signatureOf } from "./signature.ts";

describe("signatureOf", () => {
  it.each([
    ["select * from t1 where id = 42", "select * from t1 where id = ?"],
    ["SELECT a.b2 FROM a WHERE n IN (1, 2,3) AND s='it''s'", "SELECT a.b2 FROM a WHERE n IN (?) AND s=?"],
    ["insert into t values (1,'a'), (2, 'b')", "insert into t values (?)"],
    ["select\n  x\n from t where y = -1.5e3 and z = 0xFF", "select x from t where y = ? and z = ?"],
    ["select x from t where id = ? and a = $1 and b = :2", "select x from t where id = ? and a = $1 and b = :2"],
    ["update t set s = 'cut off", "update t set s = ?"],
    ["select a-1 from t", "select a-? from t"],
  ])("SQL %j", (value, expected) => {
    expect(signatureOf(value)).toBe(expected);
  });

  it.each([
    ['<a x="1"><b>text</b></a>', '<a x="?"><b>?</b></a>'],
    ["<l>\n <i>1</i>\n <i>2</i>\n <i>3</i></l>", "<l><i>?</i></l>"],
    ["<a href='x'>half", '<a href="?">?'],
  ])("markup %j", (value, expected) => {
    expect(signatureOf(value)).toBe(expected);
  });

  it.each([
    ["http-nio-8080-exec-12", "http-nio-?-exec-?"],
    ["/orders/81/items?page=2", "/orders/?/items?page=?"],
    ["6f9619ff-8b86-d011-b42d-00cf4fc964ff", "?"],
    ["trace 6f9619ff8b86d011b42d00cf4fc964ff", "trace ?"],
    ["order2 v1", "order2 v1"],
    ["", ""],
  ])("other text %j", (value, expected) => {
    expect(signatureOf(value)).toBe(expected);
  });

  it("is one for statements that differ in their literals", () => {
    const literal = fc.oneof(
      fc.nat().map(String),
      fc.string().map((text) => `'${text.replaceAll("'", "''")}'`),
    );
    const list = fc.array(literal, { minLength: 1 }).map((items) => items.join(", "));
    fc.assert(
      fc.property(literal, list, literal, list, (a, b, c, d) => {
        const of = (x: string, y: string) => signatureOf(`select * from t where a = ${x} and b in (${y}) order by c`);
        expect(of(a, b)).toBe(of(c, d));
      }),
    );
  });

  it("takes long and hostile texts", () => {
    for (const piece of ["'", "(?),", "<a>1</a>", "+ ", "select ((((", "<", '="']) {
      expect(signatureOf(`select ${piece.repeat(SIGNATURE_ROOM)}`).length).toBeLessThanOrEqual(SIGNATURE_ROOM);
      expect(signatureOf(`<x>${piece.repeat(SIGNATURE_ROOM)}`).length).toBeLessThanOrEqual(2 * SIGNATURE_ROOM);
    }
  });
});
