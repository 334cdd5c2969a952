import { type ChunkPdf, objectText, refOf, refsIn, SpliceRefusal } from './chunk-pdf';

/** The tags of a chunk (ISO 32000-1, 14.7); all object numbers are those of the chunk. */
export type ChunkStructure = {
  /** Object number of the `/Document` element. */
  document: number;
  /** Object numbers of the children of the `/Document` element, in order. */
  kids: number[];
  /** The entries of the parent tree, each with the key of a page, form or annotation. */
  parents: { key: number; object: number }[];
  /** The number of keys in the parent tree. */
  keys: number;
  /** Elements that other elements refer to by name, such as table headers. Sorted by `name`, which is a PDF string. */
  named: { name: string; object: number }[];
  /** Numbers of the objects that contain only the information in the fields above. */
  holders: number[];
};

function readNames(objects: ChunkPdf['objects'], node: number): Pick<ChunkStructure, 'named' | 'holders'> {
  const text = objectText(objects, node);
  const kids = refsIn(/\/Kids \[([^\]]*)\]/.exec(text)?.[1] ?? '').map((kid) => readNames(objects, kid));
  const names = /\/Names \[([^\]]*)\]/.exec(text)?.[1] ?? '';
  const own = [...names.matchAll(/(\((?:[^()\\]|\\[\s\S])*\)) (\d+) 0 R/g)].map(([, name = '', object]) => ({
    name,
    object: Number(object),
  }));
  return {
    named: [...own, ...kids.flatMap(({ named }) => named)],
    holders: [node, ...kids.flatMap(({ holders }) => holders)],
  };
}

/** The structure of a part that consists of artifacts only, such as decorative images. */
const untagged: ChunkStructure = { document: 0, kids: [], parents: [], keys: 0, named: [], holders: [] };

/** Reads the tags of a chunk. Throws `SpliceRefusal` when they do not have the form that Chromium writes. */
export function readStructure({ objects, structure }: ChunkPdf): ChunkStructure {
  if (structure === 0) return untagged;
  const root = objectText(objects, structure);
  const document = refOf(root, 'K');
  const element = document ? objectText(objects, document) : '';
  const kids = /\/K (?:\[((?:\s*\d+ 0 R)*)\s*\]|(\d+ 0 R))/.exec(element);
  if (!/\/S \/Document\n/.test(element) || !kids) throw new SpliceRefusal('The tags have an unknown form.');

  const parentTree = refOf(root, 'ParentTree');
  const entries = parentTree ? /\/Nums \[([^\]]*)\]/.exec(objectText(objects, parentTree))?.[1] : undefined;
  const keys = Number(/\/ParentTreeNextKey (\d+)/.exec(root)?.[1]);
  if (entries === undefined || !Number.isInteger(keys))
    throw new SpliceRefusal('The tags have no parent tree.');
  const parents = [...entries.matchAll(/(\d+) (\d+) 0 R/g)].map(([, key, object]) => ({
    key: Number(key),
    object: Number(object),
  }));

  const nameTree = refOf(root, 'IDTree');
  const { named, holders } = nameTree ? readNames(objects, nameTree) : { named: [], holders: [] };
  named.sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    document,
    kids: refsIn(kids[0]),
    parents,
    keys,
    named,
    holders: [structure, document, parentTree, ...holders],
  };
}
