"""Writes the files of this folder with the programs that users' files come from: NumPy, pyarrow and polars.

    python3 make.py DIRECTORY
"""
import datetime
import decimal
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.ipc as ipc
import pyarrow.parquet as pq
from scipy import sparse

out = Path(sys.argv[1])

# NumPy: the numbers 0, 1, 2, ... in every layout, so that a wrong byte order or a wrong axis shows.
np.save(out / "c_order.npy", np.arange(12, dtype="<f8").reshape(3, 4))
np.save(out / "fortran.npy", np.asfortranarray(np.arange(12, dtype="<f8").reshape(3, 4)))
np.save(out / "fortran_pictures.npy", np.asfortranarray(np.arange(12, dtype="<i2").reshape(2, 2, 3)))
np.save(out / "pictures.npy", np.arange(12, dtype="u1").reshape(2, 2, 3))
np.save(out / "big_endian.npy", np.arange(6, dtype=">f4").reshape(3, 2))
np.save(out / "big_endian_integers.npy", np.array([[1, -2], [2**40, -(2**40)]], dtype=">i8"))
np.save(out / "half.npy", np.array([[0.5, -2.0], [65504.0, 6.103515625e-05]], dtype="<f2"))
np.save(out / "boolean.npy", np.array([[True, False], [False, True]]))
np.save(out / "text.npy", np.array(["Ulm", "Köln", ""]))
np.save(out / "bytes.npy", np.array([b"ab", b"c", b""]))
np.save(out / "one_dimension.npy", np.array([5, 0, 4, 1, 9], dtype="<i8"))
np.save(out / "objects.npy", np.array([{"a": 1}, None], dtype=object), allow_pickle=True)
np.save(out / "records.npy", np.array([(1, 2.0)], dtype=[("a", "<i4"), ("b", "<f8")]))
first, second = np.arange(6, dtype="<f4").reshape(3, 2), np.array([7, 8, 9], dtype="<i8")
np.savez(out / "two.npz", first=first, second=second)
np.savez_compressed(out / "two_deflated.npz", first=first, second=second)
np.savez_compressed(out / "only.npz", np.asfortranarray(first))

# SciPy: one matrix by rows, by columns, and as triples, which are not read.
counts = np.array([[1, 0, 2], [0, 0, 0], [0, -0.5, 0], [4, 0, 0]])
sparse.save_npz(out / "sparse_rows.npz", sparse.csr_matrix(counts))
sparse.save_npz(out / "sparse_columns.npz", sparse.csc_array(counts.astype("<f4")), compressed=False)
sparse.save_npz(out / "sparse_triples.npz", sparse.coo_matrix(counts))

# The same three people as in people.csv and people.jsonl.
people = pa.table({
    "id": pa.array([10, 20, 30], pa.int64()),
    "score": pa.array([1.5, None, -2.0], pa.float64()),
    "member": pa.array([True, False, None], pa.bool_()),
    "city": pa.array(["Ulm", "Köln", None], pa.string()),
})
pq.write_table(people, out / "people.parquet")
feather.write_feather(people, out / "people.feather", compression="lz4")
with ipc.new_stream(out / "people.arrows", people.schema) as stream:
    stream.write_table(people, max_chunksize=2)
pl.from_arrow(people).write_parquet(out / "people_polars.parquet")
pl.from_arrow(people).write_ipc(out / "people_polars.arrow", compression="zstd")
(out / "people.csv").write_text("id,score,member,city\n10,1.5,true,Ulm\n20,,false,Köln\n30,-2.0,NA,\n", "utf-8")
(out / "people.jsonl").write_text(
    '{"id": 10, "score": 1.5, "member": true, "city": "Ulm"}\n'
    '{"id": 20, "score": null, "member": false, "city": "K\\u00f6ln"}\n'
    '{"id": 30, "score": -2.0}\n', "utf-8")

# Every type that is read and some that are not; two rows, the second missing.
moment = datetime.datetime(2013, 7, 4, 12, 30, 15, 250_000)
utc = moment.replace(tzinfo=datetime.timezone.utc)
types = pa.table({
    "int8": pa.array([-8, None], pa.int8()), "int16": pa.array([-16, None], pa.int16()),
    "int32": pa.array([-32, None], pa.int32()), "int64": pa.array([-64, None], pa.int64()),
    "uint8": pa.array([8, None], pa.uint8()), "uint16": pa.array([16, None], pa.uint16()),
    "uint32": pa.array([32, None], pa.uint32()), "uint64": pa.array([2**63 + 1, None], pa.uint64()),
    "float16": pa.array(np.array([0.5, np.nan], "f2"), pa.float16()),
    "float32": pa.array([0.25, None], pa.float32()), "float64": pa.array([0.125, None], pa.float64()),
    "decimal": pa.array([decimal.Decimal("12.34"), None], pa.decimal128(10, 2)),
    "whole_decimal": pa.array([decimal.Decimal("1234567890123456789"), None], pa.decimal128(38, 0)),
    "date": pa.array([moment.date(), None], pa.date32()),
    "timestamp": pa.array([moment, None], pa.timestamp("us")),
    "zoned": pa.array([utc, None], pa.timestamp("ms", "America/New_York")),
    "time": pa.array([moment.time(), None], pa.time64("us")),
    "duration": pa.array([90, None], pa.duration("s")),
    "boolean": pa.array([True, None], pa.bool_()),
    "string": pa.array(["a", None], pa.string()), "large_string": pa.array(["b", None], pa.large_string()),
    "string_view": pa.array(["c", None], pa.string_view()),
    "dictionary": pa.array(["d", None], pa.dictionary(pa.int8(), pa.string())),
    "number_dictionary": pa.array([1.5, None]).dictionary_encode(),
    "nothing": pa.array([None, None], pa.null()),
    "list": pa.array([[1, 2], None], pa.list_(pa.int64())),
    "struct": pa.array([{"x": 1}, None], pa.struct([("x", pa.int64())])),
    "binary": pa.array([b"\x00\xff", None], pa.binary()),
})
codecs = ["snappy", "gzip", "brotli", "zstd", "lz4"]
compression = {name: codecs[at % len(codecs)] for at, name in enumerate(types.column_names)}
compression["list.list.element"] = compression.pop("list")
compression["struct.x"] = compression.pop("struct")
pq.write_table(types, out / "types.parquet", compression=compression)
runs = pa.RunEndEncodedArray.from_arrays(pa.array([2], pa.int32()), pa.array([7.5]))
with ipc.new_file(out / "types.arrow", types.append_column("runs", runs).schema) as file:
    file.write_table(types.append_column("runs", runs))
