//! HTML reports: their content, their requirements, and errors that come before any work.

use std::fs;
#[cfg(unix)]
use std::process::Command;
#[cfg(unix)]
use std::time::{Duration, Instant};

use crate::harness::{Folder, project};

fn copy(names: &[&str]) -> Folder {
    let folder = Folder::new();
    for name in names {
        fs::copy(project().join("testdata").join(name), folder.path(name)).unwrap();
    }
    folder
}

/// The note is in the JSON, for those who read nothing else, and once on the page.
#[test]
fn a_wide_kernel_is_noted_once() {
    let folder = copy(&["wine.csv"]);
    folder.stdout(
        "select wine.csv --label label -m 5 --kernel gaussian --bandwidth median -o wide.json --report page.html",
    );
    let note = "the kernel is wide: 5 random rows explain ";
    assert_eq!(folder.read("wide.json").matches(note).count(), 1);
    let page = folder.read("page.html");
    let shown = page.split("application/json").next().unwrap();
    assert_eq!(shown.matches(note).count(), 1, "{shown}");
}

#[test]
fn a_selection_has_a_page() {
    let folder = copy(&["nhanes_adults.csv"]);
    let ran = folder.run(
        "select nhanes_adults.csv --id id --label gender --missing category -m 5 --n-criticisms 2 --report page.html",
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("report written to page.html\n"), "{}", ran.stderr);
    let page = folder.read("page.html");
    assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
    // The main sentence, a prototype's id, its unusual cell next to the typical value, the map and the criticisms.
    for text in [
        "5 of 1,200 rows explain",
        "<span class=\"row-name\"><bdi>79023</bdi> (row 637)</span>",
        "<td>$100k or more</td><td class=\"typical\">$20k to $45k (25.8\u{a0}%)</td>",
        "id=\"plane\"",
        "id=\"criticism-2\"",
        "random rows: 1: ",
    ] {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn the_result_in_the_page_is_the_result_in_the_file() {
    let folder = copy(&["wine.csv"]);
    folder.stdout("select wine.csv --label label -m 4 -o wine.json --report wine.html");
    let page = folder.read("wine.html");
    let inside = page.split("id=\"result\">").nth(1).unwrap().split("</script>").next().unwrap();
    let parse = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(parse(inside), parse(&folder.read("wine.json")));
}

#[test]
fn threads_change_no_byte_of_a_page() {
    let folder = copy(&["digits.csv"]);
    for threads in [1, 3] {
        folder.stdout(&format!(
            "select digits.csv --label label -m 6 --image-shape 8x8 --threads {threads} --report {threads}.html"
        ));
    }
    assert!(folder.read("1.html") == folder.read("3.html"), "the pages differ");
}

#[test]
fn image_rows_are_shown_as_images() {
    let folder = copy(&["digits.csv"]);
    folder.stdout("select digits.csv --label label -m 6 --image-shape 8x8 --report digits.html");
    let page = folder.read("digits.html");
    assert!(page.contains("class=\"cards gallery\""));
    // Six prototypes with up to six examples each at 21 places of a prototype in a run, and a sheet of thumbnails.
    let mut images: Vec<&str> =
        page.split("data:image/png;base64,").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!((12..=6 + 21 * 6 + 1).contains(&images.len()), "{}", images.len());
    // Every image is embedded once.
    let n_embedded = images.len();
    images.sort_unstable();
    images.dedup();
    assert_eq!(images.len(), n_embedded);
    folder.refuses(
        "select digits.csv --label label -m 6 --image-shape 8x9 --quiet --report other.html",
        2,
        "error: image shape 8x9 has 72 values, but the rows have 64 feature columns\nhint: check the shape, and \
         exclude other columns with --id, --label or --drop",
    );
}

#[test]
fn an_unwritable_report_is_an_error_before_the_work() {
    let folder = copy(&["wine.csv"]);
    folder.refuses(
        "select wine.csv --report page.pdf",
        2,
        "error: --report page.pdf ends in .pdf; it must end in .html\nhint: use a name such as \
         report.html",
    );
    folder.refuses(
        "select gone.csv --report no/such/page.html",
        1,
        "error: cannot write no/such/page.html\nCaused by: No such file or directory (os error 2)\nhint: create the \
         folder first, or use another one",
    );
    fs::rename(folder.path("wine.csv"), folder.path("wine.html")).unwrap();
    folder.refuses(
        "select wine.html --report wine.html",
        2,
        "error: --report wine.html would overwrite the input wine.html\nhint: choose another name for the output",
    );
}

#[test]
fn text_from_the_data_stays_text() {
    let nasty = "</script><script>alert(1)</script>";
    let rows: String = (0..6).map(|row| format!("{row},{nasty}{},{nasty}\n", row % 2)).collect();
    let folder = Folder::with("a.csv", format!("x,\"{nasty}\",name\n{rows}"));
    folder.stdout("select a.csv -m 2 --id name --n-criticisms 1 --report page.html");
    let page = folder.read("page.html");
    assert_eq!(page.matches("<script").count(), 4, "two scripts and two blocks of data");
    assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"));
}

#[test]
fn reports_say_what_the_data_cannot_show() {
    let folder = Folder::with("k.csv", "1,0.9,0.8,0\n0.9,1,0.9,0\n0.8,0.9,1,0.1\n0,0,0.1,1\n");
    folder.stdout("select k.csv --kernel precomputed -m 2 --report k.html");
    folder.write("c.csv", "a,b\n1,u\n2,v\n1,u\n1,w\n").stdout("select c.csv --kernel hamming -m 2 --report c.html");
    for page in ["k.html", "c.html"] {
        let page = folder.read(page);
        assert!(page.contains("of the kernel&#39;s variance") && !page.contains("of the columns&#39; variance"));
    }
    assert!(folder.read("k.html").contains("Values of rows: a kernel matrix does not hold them."));
    folder.write("one.csv", "x\n1\n2\n9\n").stdout("select one.csv -m 2 --report one.html");
    assert!(folder.read("one.html").contains("The data vary in one direction only"));
}

#[test]
fn a_comparison_and_a_relation_have_pages() {
    let folder = copy(&["digits.csv"]);
    let methods = "--methods protodash,random -m 4,8 --label label --source-sample 300 --target-sample 300";
    folder.stdout(&format!("compare digits.csv {methods} --image-shape 8x8 --report methods.html"));
    let page = folder.read("methods.html");
    for text in ["id=\"objective\"", "id=\"mmd2\"", "id=\"accuracy\"", "class=\"thumbnails\"", "Shared rows"] {
        assert!(page.contains(text), "{text}");
    }
    let tables = ["health", "income", "occupation"].map(|name| format!("relate/{name}.csv"));
    fs::create_dir(folder.path("relate")).unwrap();
    for name in &tables {
        fs::copy(project().join("testdata").join(name), folder.path(name)).unwrap();
    }
    folder.stdout(&format!("relate {} --key SEQN --all-categorical -m 4 --report tables.html", tables.join(" ")));
    let page = folder.read("tables.html");
    for text in ["id=\"network\"", "class=\"edge\"", "class=\"heat rank-heat\"", "<th scope=\"row\">occupation</th>"] {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn a_report_made_later_equals_the_one_made_by_select() {
    let folder = copy(&["nhanes_adults.csv", "digits.csv"]);
    let flags = "--id id --label gender --missing category --source-where age<60 -m 4";
    // Only `select` knows what was requested; here that makes no difference.
    folder.stdout(&format!("select nhanes_adults.csv {flags} --n-criticisms 2 -o r.json --report at_once.html"));
    folder.stdout("report r.json nhanes_adults.csv -o later.html");
    assert!(folder.read("later.html") == folder.read("at_once.html"), "the pages differ");
    folder.stdout("select digits.csv --label label -m 3 -o d.json --image-shape 8x8 --report at_once_d.html");
    folder.stdout("report d.json digits.csv --image-shape 8x8 -o later_d.html");
    assert!(folder.read("later_d.html") == folder.read("at_once_d.html"), "the pages differ");
}

#[test]
fn a_report_without_the_data_says_what_is_missing() {
    let folder = copy(&["wine.csv", "digits.csv"]);
    folder.stdout("select wine.csv --label label -m 4 --n-criticisms 1 -o r.json");
    folder.stdout("report r.json -o brief.html");
    let page = folder.read("brief.html");
    assert!(page.contains("Values, images and examples of rows"), "what is missing is said");
    assert!(page.contains("id=\"size\"") && page.contains("id=\"criticism-1\"") && !page.contains("id=\"plane\""));
    folder.stdout("compare wine.csv --label label -m 3 --methods protodash,l2c -o c.json");
    folder.stdout("report c.json -o compared.html");
    assert!(folder.read("compared.html").contains("class=\"chosen-rows\""));
}

#[test]
fn criticisms_found_later_are_on_the_page() {
    let folder = copy(&["wine.csv"]);
    folder.stdout("select wine.csv --label label -m 4 -o r.json");
    folder.stdout("criticize r.json wine.csv -n 3 --report page.html");
    let page = folder.read("page.html");
    assert!(page.contains("id=\"criticism-3\"") && page.contains("id=\"plane\""));
}

#[test]
fn report_rejects_different_data_and_files_that_are_not_results() {
    let folder = Folder::with("a.csv", "x,y\n0,0\n1,2\n5,5\n9,8\n");
    folder.stdout("select a.csv -m 2 -o r.json");
    folder.write("short.csv", "x,y\n0,0\n1,2\n5,5\n").refuses(
        "report r.json short.csv -o page.html",
        1,
        "error: r.json: was made from different data: it expects 4 source rows, short.csv has 3\nhint: use the \
         original files, or run the selection again",
    );
    folder.refuses(
        "report a.csv -o page.html",
        1,
        "error: a.csv: is not a protodash result: it is not JSON (expected value at line 1 column 1)\nhint: RESULT.json must \
         come from `protodash select`, `criticize`, `compare`, `relate` or `explain` with -o RESULT.json",
    );
    folder.refuses(
        "report r.json -o page.txt",
        2,
        "error: --output page.txt ends in .txt; it must end in .html\nhint: use a name such as \
         report.html",
    );
}

#[test]
fn results_of_earlier_versions_can_be_read() {
    let folder = copy(&["wine.csv"]);
    folder.stdout("select wine.csv --label label -m 3 -o r.json");
    folder.stdout("compare wine.csv --label label -m 3 --methods protodash -o c.json");
    let without = |name: &str, keys: &[&str]| {
        let mut value: serde_json::Value = serde_json::from_str(&folder.read(name)).unwrap();
        let object = value.as_object_mut().unwrap();
        keys.iter().for_each(|key| drop(object.remove(*key)));
        if let Some(results) = object.get_mut("results") {
            results
                .as_array_mut()
                .unwrap()
                .iter_mut()
                .for_each(|result| drop(result.as_object_mut().unwrap().remove("confusion")));
        }
        folder.write(name, value.to_string());
    };
    without("r.json", &["oversample", "seed"]);
    without("c.json", &["classes"]);
    folder.stdout("report r.json wine.csv -o r.html");
    folder.stdout("report c.json -o c.html");
    assert!(folder.read("r.html").contains("id=\"plane\"") && folder.read("c.html").contains("id=\"outcome-table\""));
}

#[test]
fn shown_columns_are_on_the_page_and_never_features() {
    let folder = Folder::new();
    fs::create_dir(folder.path("photos")).unwrap();
    let mut table = "x,Title,text,photo\n".to_owned();
    for row in 0..12 {
        table += &format!("{},\"Title <{row}>\",{},photos/{row}.gif\n", row % 3, "word ".repeat(40));
        // The last photo does not exist, and the one before is not an image.
        let bytes = [b"GIF89a\x05\0\x07\0", &[row as u8][..]].concat();
        match row {
            0..10 => fs::write(folder.path(&format!("photos/{row}.gif")), bytes).unwrap(),
            10 => fs::write(folder.path("photos/10.gif"), "no image").unwrap(),
            _ => {}
        }
    }
    fs::write(folder.path("a.csv"), table).unwrap();
    let ran = folder.run("select a.csv -m 12 --method random --show title,text,photo --report a.html -o a.json");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let page = folder.read("a.html");
    for text in [
        "<dt><bdi>title</bdi></dt><dd dir=\"auto\">Title &lt;7&gt;</dd>",
        "<dd dir=\"auto\"><details class=\"long\"><summary>word word",
        "<svg class=\"image photo i0\" role=\"img\" viewBox=\"0 0 5 7\"",
        "background-image:url(data:image/gif;base64,",
        "2 images of column &quot;photo&quot;: no readable PNG, JPEG, GIF or WebP file",
        "<dt>features</dt><dd>1</dd>",
        "word word …", // on the hover of a point
    ] {
        assert!(page.contains(text), "{text}");
    }
    // The result knows the columns, so its report shows them again.
    let again = folder.run("report a.json a.csv -o again.html");
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    let cards = |page: &str| page.split("<ol class=\"cards\"").nth(1).map(str::to_owned);
    assert_eq!(cards(&folder.read("again.html")), cards(&page));
}

#[cfg(unix)]
#[test]
fn an_image_that_is_a_pipe_does_not_stop_the_run() {
    let folder = Folder::with("a.csv", "x,photo\n1,pipe.gif\n2,pipe.gif\n5,zero.gif\n");
    assert!(Command::new("mkfifo").arg(folder.path("pipe.gif")).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", folder.path("zero.gif")).unwrap();
    let mut run = folder.command("select a.csv -m 3 --show photo --report a.html -q -o a.json").spawn().unwrap();
    let since = Instant::now();
    let status = loop {
        match run.try_wait().unwrap() {
            Some(status) => break status,
            None if since.elapsed() > Duration::from_secs(60) => {
                run.kill().unwrap();
                panic!("still waiting for the pipe after a minute");
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    assert!(status.success());
    assert!(folder.read("a.html").contains("3 images of column &quot;photo&quot;: no readable PNG"));
}

#[test]
fn a_shown_column_must_exist_and_cannot_be_a_feature() {
    let folder = copy(&["wine.csv"]);
    let unknown = folder.run("select wine.csv --show colour");
    assert!(
        unknown.stderr.contains("there is no column \"colour\"") && unknown.stderr.contains("--show"),
        "{}",
        unknown.stderr
    );
    let both = folder.run("select wine.csv --show ash --columns ash,hue");
    assert!(both.stderr.contains("column \"ash\" appears in both --show and --columns"), "{}", both.stderr);
}
